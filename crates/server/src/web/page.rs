//! The files of the page, embedded in the program or, for those who work on it, in a folder.

use std::borrow::Cow;
use std::path::{Component, Path, PathBuf};

/// A file of the page.
struct File {
    /// Its path below the root.
    path: &'static str,
    /// Tells versions of it apart.
    tag: &'static str,
    bytes: &'static [u8],
}

static FILES: &[File] = include!(concat!(env!("OUT_DIR"), "/page.rs"));

/// What a browser is sent.
pub(super) struct Sent {
    pub(super) kind: &'static str,
    /// Tells versions of it apart, if it is embedded.
    pub(super) tag: Option<&'static str>,
    pub(super) bytes: Cow<'static, [u8]>,
}

/// What is at a path. Paths without a dot are places within the page, which finds its way itself.
pub(super) fn find(folder: Option<&Path>, path: &str) -> Option<Sent> {
    let path = path.trim_start_matches('/');
    let path = if path.contains('.') {
        path
    } else {
        "index.html"
    };
    let kind = kind(path);
    if let Some(folder) = folder {
        let bytes = std::fs::read(below(folder, path)?).ok()?;
        return Some(Sent {
            kind,
            tag: None,
            bytes: bytes.into(),
        });
    }
    let place = FILES.binary_search_by_key(&path, |file| file.path).ok()?;
    let file = &FILES[place];
    Some(Sent {
        kind,
        tag: Some(file.tag),
        bytes: file.bytes.into(),
    })
}

/// A path below a folder, and not beside it.
fn below(folder: &Path, path: &str) -> Option<PathBuf> {
    let is_plain = |part: Component<'_>| matches!(part, Component::Normal(_));
    let path = Path::new(path);
    path.components().all(is_plain).then(|| folder.join(path))
}

/// The media type of a file.
fn kind(path: &str) -> &'static str {
    match path.rsplit_once('.').map_or("", |(_, ending)| ending) {
        "html" => "text/html; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "json" | "webmanifest" => "application/json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        _ => "text/plain; charset=utf-8",
    }
}

#[cfg(test)]
mod tests {
    use super::{FILES, below, find};
    use std::path::Path;

    #[test]
    fn the_table_is_sorted_and_has_a_first_page() {
        assert!(FILES.is_sorted_by_key(|file| file.path));
        for path in ["", "/", "/games/chess", "/index.html"] {
            assert!(find(None, path).is_some_and(|sent| sent.kind.starts_with("text/html")));
        }
        assert!(find(None, "/no/such.js").is_none());
    }

    #[test]
    fn paths_stay_below_their_folder() {
        let folder = Path::new("page");
        assert!(below(folder, "js/app.js").is_some());
        for path in [
            "../secret.txt",
            "js/../../secret.txt",
            "/etc/passwd.txt",
            "./a.js",
        ] {
            assert!(below(folder, path).is_none(), "{path}");
        }
    }
}
