declare module 'virtual:briefs' {
  export const packed: import('@ordinator/model/briefPack').PackedBriefs
}
