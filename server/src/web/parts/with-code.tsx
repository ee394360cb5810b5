// A text with commands between backticks, as in the terminal, and pages of the administration as paths.
export const WithCode = ({ text }: { text: string }) => (
  <>{text.split("`").map((piece, at) => (at % 2 === 1 ? <code>{piece}</code> : withLinks(piece)))}</>
);

const withLinks = (text: string) =>
  text.split(/(\/admin\/[a-z/-]+)/).map((piece, at) => (at % 2 === 1 ? <a href={piece}>{piece}</a> : piece));
