/** The part of bwip-js in use; each field is optional, since there are two shapes of a code. */
declare module 'bwip-js/node' {
  interface RawCode {
    /** For matrix codes: 1 is dark. */
    pixs?: number[]
    pixx?: number
    pixy?: number
    /** For bars: widths of a bar and of the following gap, alternating. */
    sbs?: number[]
  }
  const library: { raw(options: { bcid: string; text: string }): RawCode[] }
  export default library
}
