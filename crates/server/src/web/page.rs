//! The files of the page, embedded in the program or, to work on them, in a folder.

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

/// The media type of pages.
const HTML: &str = "text/html; charset=utf-8";

static FILES: &[File] = include!(concat!(env!("OUT_DIR"), "/page.rs"));

/// What a browser is sent.
pub(super) struct Sent {
    pub(super) kind: &'static str,
    /// Tells versions of it apart, if it is embedded.
    pub(super) tag: Option<&'static str>,
    pub(super) bytes: Cow<'static, [u8]>,
}

/// What is at a path. Whatever does not end as a file of a page does is a place within the page,
/// which finds its way itself.
pub(super) fn find(folder: Option<&Path>, path: &str) -> Option<Sent> {
    let path = path.trim_start_matches('/');
    let (path, kind) = match kind(path) {
        Some(kind) => (path, kind),
        None => ("index.html", HTML),
    };
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

/// The media type of a file, by how its name ends; names of matches have dots, too, but end
/// otherwise.
fn kind(path: &str) -> Option<&'static str> {
    let (_, ending) = path.rsplit_once('.')?;
    Some(match ending {
        "html" => HTML,
        "css" => "text/css; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "json" | "webmanifest" => "application/json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        "txt" => "text/plain; charset=utf-8",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::{FILES, below, find};
    use std::path::Path;

    #[test]
    fn the_table_is_sorted_and_has_a_first_page() {
        assert!(FILES.is_sorted_by_key(|file| file.path));
        for path in [
            "",
            "/",
            "/games/chess",
            "/index.html",
            "/matches/paidia.chess.17-1",
        ] {
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
