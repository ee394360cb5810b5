// A program that does on request what the server must not do, so that the probe must notice it.
const kept = [];
// The channel alone does not keep the process alive.
setInterval(() => {}, 1000);

process.on("message", (order) => {
  if (order === "burn") {
    const until = process.threadCpuUsage().user + 80_000;
    while (process.threadCpuUsage().user < until);
    process.send("done");
  }
  if (order === "waste") {
    for (let at = 0; at < 100; at++) Buffer.alloc(1024 * 1024, at);
    setTimeout(() => process.send("done"), 20);
  }
  if (order === "keep") {
    kept.push(Buffer.alloc(40 * 1024 * 1024, 1));
    setTimeout(() => process.send("done"), 20);
  }
});
