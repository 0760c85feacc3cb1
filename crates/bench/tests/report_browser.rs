//! Opens the report in a real browser, if one is installed: every chart must be drawn, with nothing
//! on the console. The page's own security policy forbids all requests, so a request would appear
//! as a console error.

use std::io::{self, Write};
use std::path::Path;
use std::process::Command;

#[path = "../src/report/tests/sample.rs"]
#[allow(dead_code, reason = "the tests of the library use other parts")]
mod sample;

const BROWSERS: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "chrome"];

/// Returns the first browser that answers, or reports on the terminal that the test is skipped.
fn browser() -> Option<&'static str> {
    let answers = |name: &&str| Command::new(name).arg("--version").output().is_ok();
    let found = BROWSERS.into_iter().find(answers);
    if found.is_none() {
        // This is written to the terminal because the harness hides the output of a passing test.
        let line = "SKIPPED: no Chromium found, the report was not opened in a browser\n";
        let _ = io::stderr().write_all(line.as_bytes());
    }
    found
}

/// Returns the document after its scripts have run, and the log of the browser.
fn open(browser: &str, page: &Path, address: &str, profile: &Path) -> io::Result<(String, String)> {
    let output = Command::new(browser)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr"])
        .args(["--virtual-time-budget=60000", "--window-size=1440,900", "--dump-dom"])
        .arg(format!("--user-data-dir={}", profile.display()))
        .arg(format!("file://{}#{address}", page.display()))
        .output()?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Ok((text(&output.stdout), text(&output.stderr)))
}

/// Returns the lines that the page wrote on the console.
fn console(log: &str) -> Vec<&str> {
    log.lines().filter(|line| line.contains(":CONSOLE")).collect()
}

#[test]
fn every_chart_is_drawn_without_a_word_on_the_console() {
    let Some(browser) = browser() else { return };
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("report_browser");
    std::fs::create_dir_all(&folder).unwrap();
    for (name, run) in [("engine", sample::engine_run()), ("peers", sample::run_with_peers())] {
        let page = folder.join(format!("{name}.html"));
        let html = fathom_bench::report::render(&run).unwrap();
        std::fs::write(&page, &html).unwrap();
        let profile = folder.join("profile");
        let (document, log) = open(browser, &page, "unfold", &profile).unwrap();
        assert_eq!(console(&log), Vec::<&str>::new());
        // Of the charts of questions, that of the chosen one is seen.
        let of_questions =
            html.matches("\" data-q=\"").count() - html.matches("<div class=\"panel\"").count();
        let charts = html.matches("<figure id=").count() - of_questions + 1;
        assert!(charts > 9, "{charts} charts in {name}");
        assert!(document.contains(&format!("data-drawn=\"{charts}\"")), "{name}: not all drawn");
        assert!(!document.contains("translate(NaN"), "{name}: a mark has no place");
    }
}

/// Number of pixels of a screen in height, and of screens that a report may take.
const SCREEN: usize = 900;
const SCREENS: usize = 6;

#[test]
fn a_folded_report_takes_six_screens_and_no_more_than_its_width() {
    let Some(browser) = browser() else { return };
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("report_browser_size");
    std::fs::create_dir_all(&folder).unwrap();
    let measure = "<script>setTimeout(() => { const page = document.documentElement; \
        page.dataset.size = page.scrollHeight + 'x' + page.scrollWidth; }, 20000);</script></body>";
    let html = fathom_bench::report::render(&sample::run_with_peers()).unwrap();
    let page = folder.join("page.html");
    // The scripts contain the tag too.
    let (body, _) = html.rsplit_once("</body>").unwrap();
    std::fs::write(&page, format!("{body}{measure}</html>")).unwrap();
    let (document, log) = open(browser, &page, "", &folder.join("profile")).unwrap();
    assert_eq!(console(&log), Vec::<&str>::new());
    let size = document.split("data-size=\"").nth(1).and_then(|rest| rest.split('"').next());
    let (height, width) = size.and_then(|size| size.split_once('x')).unwrap();
    assert!(height.parse::<usize>().unwrap() <= SCREENS * SCREEN, "{height} pixels tall");
    assert!(width.parse::<usize>().unwrap() <= 1440, "{width} pixels wide");
}

#[test]
fn the_check_sees_a_request_and_a_broken_script() {
    let Some(browser) = browser() else { return };
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("report_browser_broken");
    std::fs::create_dir_all(&folder).unwrap();
    let html = fathom_bench::report::render(&sample::engine_run()).unwrap();
    let broken = [
        html.replace("<main>", "<main><img src=\"http://127.0.0.1:9/x.png\">"),
        html.replace("\"use strict\";", "\"use strict\"; undefinedName();"),
    ];
    for html in broken {
        let page = folder.join("page.html");
        std::fs::write(&page, html).unwrap();
        let (_, log) = open(browser, &page, "", &folder.join("profile")).unwrap();
        assert!(!console(&log).is_empty(), "a broken page went unnoticed");
    }
}
