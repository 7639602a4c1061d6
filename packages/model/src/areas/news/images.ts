import { imageSizes } from './news.ts'

/** Fields that identify the picture and the size of an image row. */
interface Sized {
  key: string
  idExternal?: string | null
  size: keyof typeof imageSizes
}

/** Pictures of a news item with their sizes: rows with equal key and external id (spec §3). */
export function groupImages<I extends Sized>(images: readonly I[]): I[][] {
  const groups = Map.groupBy(images, ({ key, idExternal }) => JSON.stringify([key, idExternal ?? null]))
  return [...groups.values()]
}

/** The largest size of a picture; undefined only without any. */
export const largestOf = <I extends Sized>(group: readonly I[]): I | undefined => bySize(group).at(-1)

/** The smallest size of a picture; undefined only without any. */
export const smallestOf = <I extends Sized>(group: readonly I[]): I | undefined => bySize(group)[0]

const sizes = Object.keys(imageSizes)
const bySize = <I extends Sized>(group: readonly I[]): I[] =>
  group.toSorted((a, b) => sizes.indexOf(a.size) - sizes.indexOf(b.size))
