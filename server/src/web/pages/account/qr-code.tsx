// A text as a picture that phones read. Dark on light in both themes: some readers want it so.
import { qrCodeOf } from "#lib/qr-code.js";

const border = 4;

/** Nothing where the text is too long; the same stands beside it in words. */
export const QrCode = ({ text }: { text: string }) => {
  const rows = qrCodeOf(text);
  if (!rows) return null;
  const size = rows.length + 2 * border;
  const path = rows.flatMap((row, y) =>
    row.flatMap((dark, x) => (dark ? [`M${x + border} ${y + border}h1v1h-1z`] : [])),
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
