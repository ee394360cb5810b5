// The same bytes as a view that reads and writes numbers.
export const viewOf = ({ buffer, byteOffset, length }: Buffer): DataView => new DataView(buffer, byteOffset, length);
