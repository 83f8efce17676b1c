//! What happens in a child of the workshop: it takes limits upon itself, does one thing, and ends.

use std::{
    io::{self, Read, Write},
    panic::{self, AssertUnwindSafe},
    process::ExitCode,
};

use super::{
    MOST_SOURCE_BYTES,
    cut::Cut,
    encode, look,
    message::{self, Answer, Failure, Request, Task},
    picture::Picture,
};

/// How much memory a child may have: the largest picture that is decoded, once more with eight bits for each colour, and what an encoder needs.
#[cfg(unix)]
const MEMORY: u64 = 3 * 1024 * 1024 * 1024;

/// How many seconds a child may compute.
#[cfg(unix)]
const SECONDS: u64 = 25;

/// What a hidden subcommand of the program does, and does nothing else: reads what to do and a picture from the standard input, and writes what came of it to
/// the standard output. One line on the standard error says why it could not.
pub fn child() -> ExitCode {
    // One line says it; where in a decoder it was, nobody can do anything about.
    panic::set_hook(Box::new(|_| ()));
    let done = limited().and_then(|()| served(&mut io::stdin().lock(), &mut io::stdout().lock()));
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // Whoever started it reads the line if they want to.
            let _unread = writeln!(io::stderr(), "a picture was not looked at: {error}");
            ExitCode::FAILURE
        }
    }
}

fn served(source: &mut impl Read, target: &mut impl Write) -> io::Result<()> {
    let request: Request = message::read(source)?;
    if request.size > MOST_SOURCE_BYTES {
        return message::write(target, &Answer::Failed(Failure::TooLarge), &[]);
    }
    let mut bytes = Vec::with_capacity(usize::try_from(request.size).map_err(io::Error::other)?);
    source.take(request.size).read_to_end(&mut bytes)?;
    if bytes.len() as u64 != request.size {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    // Decoders are known to panic on what they did not expect.
    let done = panic::catch_unwind(AssertUnwindSafe(|| done(&bytes, &request.task)))
        .unwrap_or_else(|_| Err(Failure::Broken("the decoder gave up".to_owned())));
    match done {
        Ok((answer, made)) => message::write(target, &answer, &made),
        Err(failure) => message::write(target, &Answer::Failed(failure), &[]),
    }
}

fn done(bytes: &[u8], task: &Task) -> Result<(Answer, Vec<u8>), Failure> {
    let picture = Picture::read(bytes)?;
    match task {
        Task::Look => Ok((Answer::Looked(look::look(picture)?), Vec::new())),
        Task::Make(recipe) => {
            let cut = Cut::of(recipe, picture.size());
            let made = picture.made(&cut)?;
            Ok((Answer::Made, encode::encoded(made.pixels, recipe.format, recipe.quality)?))
        }
    }
}

/// Takes limits upon this process, which nobody can take off again.
#[cfg(unix)]
fn limited() -> io::Result<()> {
    use rustix::process::{Resource, Rlimit, setrlimit};
    for (resource, most) in [
        (Resource::As, MEMORY),
        (Resource::Cpu, SECONDS),
        // What is open stays open: the three that it was started with.
        (Resource::Nofile, 0),
        (Resource::Fsize, 0),
        (Resource::Core, 0),
    ] {
        setrlimit(resource, Rlimit { current: Some(most), maximum: Some(most) })?;
    }
    Ok(())
}

/// Where there are no such limits, time alone is limited, by whoever started this.
#[cfg(not(unix))]
fn limited() -> io::Result<()> {
    Ok(())
}
