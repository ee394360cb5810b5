// A text as a QR code. It is dark on light in both themes, because some readers require that.
import qrcode from "qrcode-generator";

const border = 4;
/** The longest text of a code with 57 modules a side. Phones have trouble reading larger ones at the size shown here. */
const maxBytes = 271;

/** Renders nothing if the text is too long: the page shows the same text in words. */
export const QrCode = ({ text }: { text: string }) => {
  const bytes = Buffer.from(text, "utf8");
  if (bytes.length > maxBytes) return null;
  const code = qrcode(0, "L");
  // The library takes one character for each byte.
  code.addData(bytes.toString("latin1"));
  code.make();
  const modules = Array.from({ length: code.getModuleCount() }, (_, at) => at);
  const size = modules.length + 2 * border;
  const path = modules.flatMap((y) =>
    modules.flatMap((x) => (code.isDark(y, x) ? [`M${x + border} ${y + border}h1v1h-1z`] : [])),
  );
  return (
    <svg
      class="qr"
      viewBox={`0 0 ${size} ${size}`}
      width="192"
      height="192"
      shape-rendering="crispEdges"
      aria-hidden="true"
    >
      <path fill="#fff" d={`M0 0h${size}v${size}H0z`} />
      <path fill="#000" d={path.join("")} />
    </svg>
  );
};
