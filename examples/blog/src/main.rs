//! Runs the blog: opens the database, serves until it is asked to stop, and stops in order.

use std::{net::SocketAddr, time::Duration};

use axum::serve;
use blog::{Blog, open_store};
use clap::Parser;
use cms_core::tasks::driver::run_tasks;
use cms_domain::user::Role;
use cms_storage::Store;
use tokio::{net::TcpListener, time::timeout};
use tokio_util::sync::CancellationToken;

/// How long what is under way may take to end.
const GRACE: Duration = Duration::from_secs(20);

/// A blog with all of the CMS inside.
#[derive(Parser)]
struct Arguments {
    /// The database: `sqlite:FILE`, or `postgres://USER:PASSWORD@HOST/NAME`.
    #[arg(long, env = "BLOG_DATABASE", default_value = "sqlite:blog.db")]
    database: String,
    /// Address and port to listen on.
    #[arg(long, env = "BLOG_LISTEN", default_value = "127.0.0.1:3000")]
    listen: String,
    /// Where the world reaches the blog.
    #[arg(long, env = "BLOG_ORIGIN", default_value = "http://localhost:3000")]
    origin: String,
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let arguments = Arguments::parse();
    tracing_subscriber::fmt().init();
    let listener = TcpListener::bind(&arguments.listen).await?;
    let store = open_store(&arguments.database).await?;
    let blog = Blog::open(store.clone(), &arguments.origin).await?;
    greet(&blog, &arguments.origin).await?;
    run(&blog, &store, listener).await
}

/// Serves until the program is asked to stop. Then: no more requests, no more steps of tasks, letters delivered, connections closed.
async fn run(blog: &Blog, store: &Store, listener: TcpListener) -> anyhow::Result<()> {
    let stop = CancellationToken::new();
    let tasks = tokio::spawn(run_tasks(blog.cms.clone(), stop.clone().cancelled_owned()));
    let (cms, stopping) = (blog.cms.clone(), stop.clone());
    let asked = async move {
        // An error means that nobody can ask.
        let _ = tokio::signal::ctrl_c().await;
        cms.leave();
        stopping.cancel();
    };
    let service = blog.router().into_make_service_with_connect_info::<SocketAddr>();
    serve(listener, service).with_graceful_shutdown(asked).await?;
    let _ = timeout(GRACE, tasks).await;
    let _ = timeout(GRACE, blog.cms.finish_background()).await;
    store.close().await;
    Ok(())
}

/// Lets the first editor in.
#[expect(clippy::print_stdout, reason = "it is how whoever starts the blog gets in")]
async fn greet(blog: &Blog, origin: &str) -> anyhow::Result<()> {
    let editor = blog.member("editor@blog.example", "Editor", Role::Editor).await?;
    println!("The blog is at {origin}. You are let in as its editor, once, at {origin}/enter/{}", blog.sessions.invite(editor)?);
    Ok(())
}
