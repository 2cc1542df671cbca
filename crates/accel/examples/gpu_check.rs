//! Whether a GPU plays as plain code does, and how fast: `gpu_check FOLDER GAME…`, where GAME is a
//! bundled game, a rule file, or `bundled` for all bundled games. Machine code is kept in FOLDER.
//!
//! For each game a line of comma-separated values: whether the same seed gave the same playouts,
//! what it took to load, states a second on the GPU and on one core of the processor. The
//! environment variable `PAIDIA_GPU_SHAPE` sets how games are laid out
//! (`block,draws,interval,in_registers,function,blocks,again,threads`), `PAIDIA_GPU_PLAYOUTS` how
//! many playouts are compared, `PAIDIA_GPU_PTX` a folder for the code.

use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use paidia_accel::{Batches, Gpu, GpuThreads, Shape, SoftThreads};
use paidia_game::{Effort, Extent};
use paidia_gdl::Source;
use paidia_gdl::check::check_source;
use paidia_gdl::grounding::Budget;
use paidia_gdl::program::Program;
use paidia_reason::propnet::{GroundGame, ground_game};

/// After how many moves playouts are cut.
const LIMIT: u32 = 10_000;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next().unwrap_or_else(|| ".".to_owned());
    let mut games: Vec<String> = arguments.collect();
    if games == ["bundled"] {
        let all = paidia_library::all().iter();
        games = all.map(|game| game.name.to_owned()).collect();
    }
    let shape = shape();
    let gpu = Gpu::find();
    println!("# {gpu:?} {shape:?}");
    println!(
        "game,operations,code,slots,memory,equal,playouts,write ms,make ms,load ms,cached,\
         PTX bytes,code bytes,registers,local bytes,threads,GPU states/s,GPU playouts/s,core states/s,ratio,length"
    );
    for name in games {
        match ground(&name) {
            Ok(game) => line(&name, game, gpu.as_ref().ok(), shape, Path::new(&folder)),
            Err(because) => println!("{name},{because}"),
        }
    }
}

fn shape() -> Shape {
    let mut shape = Shape::default();
    let text = std::env::var("PAIDIA_GPU_SHAPE").unwrap_or_default();
    let numbers: Vec<u32> = text
        .split(',')
        .filter_map(|part| part.parse().ok())
        .collect();
    if let [
        block,
        draws,
        interval,
        in_registers,
        function,
        blocks,
        again,
        threads,
    ] = numbers[..]
    {
        shape = Shape {
            block,
            draws,
            interval,
            in_registers: in_registers as usize,
            function: function as usize,
            blocks,
            again,
            threads,
        };
    }
    shape
}

fn ground(name: &str) -> Result<GroundGame, String> {
    let text = match paidia_library::find(name) {
        Ok(game) => game.rules.to_owned(),
        Err(_) => std::fs::read_to_string(name).map_err(|error| error.to_string())?,
    };
    let (reading, report) = check_source(&Source::new(name, text), None);
    if report.has_errors() {
        return Err("has errors".into());
    }
    let program =
        Program::new(&reading.sheet, report.dialect).map_err(|error| error.to_string())?;
    let budget = Budget {
        time: Duration::from_secs(60),
        ..Budget::default()
    };
    ground_game(name, &program, budget).map_err(|error| error.to_string())
}

fn effort(extent: Extent) -> Effort {
    Effort {
        extent,
        threads: 1,
        seed: 11,
        step_limit: LIMIT,
    }
}

fn line(name: &str, game: GroundGame, gpu: Option<&Gpu>, shape: Shape, folder: &Path) {
    let stem = Path::new(name).file_stem();
    let stem = stem.map_or(name.into(), |stem| stem.to_string_lossy());
    let network = game.network.clone();
    let batches = Batches::new(game);
    let start = batches.initial();
    let soft = SoftThreads::new(&network, LIMIT, shape);
    if let Ok(folder) = std::env::var("PAIDIA_GPU_PTX") {
        let _ = std::fs::write(Path::new(&folder).join(format!("{stem}.ptx")), soft.ptx());
    }
    let (code, memory, slots) = soft.size();
    let operations = batches.operations(paidia_accel::Decisive::No.into());
    print!("{stem},{operations},{code},{slots},{memory},");
    let Some(gpu) = gpu else {
        println!("no GPU");
        return;
    };
    let threads = match GpuThreads::new(gpu, &network, LIMIT, shape, Some(folder)) {
        Ok(threads) => threads,
        Err(error) => {
            println!("{error}");
            return;
        }
    };
    let never = AtomicBool::new(false);
    let play = |extent| threads.simulate(&start, effort(extent), &mut |_| {}, &never);
    let playouts = std::env::var("PAIDIA_GPU_PLAYOUTS").ok();
    let playouts = playouts
        .and_then(|text| text.parse().ok())
        .unwrap_or(10_000);
    let equal = match playouts {
        0 => "-".to_owned(),
        _ => match play(Extent::Playouts(playouts)) {
            Ok(found) => {
                let expected = soft.simulate(&start, effort(Extent::Playouts(playouts)));
                if found != expected {
                    eprintln!("{stem}: {found:?}\n   not {expected:?}");
                }
                (found == expected).to_string()
            }
            Err(error) => error.to_string(),
        },
    };
    print!("{equal},{playouts},{}", loading(&threads));
    let (of_gpu, seconds) = timed(|| play(Extent::Time(Duration::from_millis(500))));
    let figures = match of_gpu {
        Ok(figures) => figures,
        Err(error) => {
            println!("{error}");
            return;
        }
    };
    let core = |extent| batches.simulate(&start, effort(extent), &mut |_| {});
    let (of_core, core_seconds) = timed(|| core(Extent::Time(Duration::from_millis(300))));
    let rate = figures.states as f64 / seconds;
    let core_rate = of_core.states as f64 / core_seconds;
    println!(
        "{rate:.4e},{:.4e},{core_rate:.4e},{:.1},{:.2}",
        figures.playouts as f64 / seconds,
        rate / core_rate,
        figures.mean_length().unwrap_or(0.0)
    );
}

#[cfg(feature = "gpu")]
fn loading(threads: &GpuThreads) -> String {
    let all = threads.loading();
    let ms = |time: Duration| time.as_secs_f64() * 1e3;
    format!(
        "{:.1},{:.1},{:.1},{},{},{},{},{},{},",
        ms(all.write),
        ms(all.make),
        ms(all.load),
        all.was_cached,
        all.sizes.0,
        all.sizes.1,
        all.registers,
        all.memory,
        all.threads
    )
}

#[cfg(not(feature = "gpu"))]
fn loading(_: &GpuThreads) -> String {
    String::new()
}

fn timed<T>(play: impl FnOnce() -> T) -> (T, f64) {
    let started = Instant::now();
    let result = play();
    (result, started.elapsed().as_secs_f64())
}
