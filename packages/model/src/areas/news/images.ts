import { imageSizes } from './news.ts'

/** What tells which picture an image row belongs to, and which size of it the row is. */
interface Sized {
  key: string
  idExternal?: string | null
  size: keyof typeof imageSizes
}

/** The pictures of a news item, each with the sizes that are there: rows of one key and one external id (spec §3). */
export function groupImages<I extends Sized>(images: readonly I[]): I[][] {
  const groups = Map.groupBy(images, ({ key, idExternal }) => JSON.stringify([key, idExternal ?? null]))
  return [...groups.values()]
}

/** The largest size that a picture has; undefined only of a picture without any. */
export const largestOf = <I extends Sized>(group: readonly I[]): I | undefined => bySize(group).at(-1)

/** The smallest size that a picture has; undefined only of a picture without any. */
export const smallestOf = <I extends Sized>(group: readonly I[]): I | undefined => bySize(group)[0]

const sizes = Object.keys(imageSizes)
const bySize = <I extends Sized>(group: readonly I[]): I[] =>
  group.toSorted((a, b) => sizes.indexOf(a.size) - sizes.indexOf(b.size))
