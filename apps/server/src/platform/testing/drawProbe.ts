import { Unprintable } from '../pdf.ts'

/** A document that keeps its thread busy for so long. */
export async function draw({ busyMs, text, refusal }: { busyMs: number; text: string; refusal?: string }) {
  for (const end = Date.now() + busyMs; Date.now() < end; );
  if (refusal !== undefined) throw new Unprintable(refusal)
  return new Uint8Array(Buffer.from(text))
}
