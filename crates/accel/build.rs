//! The feature `portable` is the same as `--cfg paidia_portable`, for this crate alone: what it
//! does not depend on is not built again.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if std::env::var_os("CARGO_FEATURE_PORTABLE").is_some() {
        println!("cargo::rustc-cfg=paidia_portable");
    }
}
