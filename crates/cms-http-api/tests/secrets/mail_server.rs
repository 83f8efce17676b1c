//! A mail server that takes nobody's password.

use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader},
    net::{TcpListener, TcpStream},
};

/// Opens it, and answers with its port.
pub(crate) async fn open() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            tokio::spawn(talk(stream));
        }
    });
    port
}

async fn talk(stream: TcpStream) -> std::io::Result<()> {
    let (read, mut write) = stream.into_split();
    let mut lines = BufReader::new(read).lines();
    write.write_all(b"220 mail.example\r\n").await?;
    while let Some(line) = lines.next_line().await? {
        let answer: &[u8] = match line.split(' ').next() {
            Some("EHLO") => b"250-mail.example\r\n250 AUTH PLAIN LOGIN\r\n",
            Some("AUTH") => b"535 5.7.8 these credentials are not known\r\n",
            _ => b"250 well\r\n",
        };
        write.write_all(answer).await?;
    }
    Ok(())
}
