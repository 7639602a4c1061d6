/** What is used of bwip-js; of its two shapes each field may be missing. */
declare module 'bwip-js/node' {
  interface RawCode {
    /** Of a square code: 1 is dark. */
    pixs?: number[]
    pixx?: number
    pixy?: number
    /** Of bars: widths of a bar and of the gap behind it, in turn. */
    sbs?: number[]
  }
  const library: { raw(options: { bcid: string; text: string }): RawCode[] }
  export default library
}
