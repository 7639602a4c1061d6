import { packed } from 'virtual:briefs'
import type { Brief } from '@ordinator/model/brief'
import { unpackBriefs } from '@ordinator/model/briefPack'
import { declaredAt, type Entity } from '@ordinator/model/entity'

/** The briefs of all entities. */
export const briefs: readonly Brief[] = unpackBriefs(packed)

const byPath = new Map(briefs.map((brief) => [brief.path, brief]))

/** The brief of the entity at a path, if any. */
export const briefAt = (path: string): Brief | undefined => byPath.get(path)

const areas = import.meta.glob<unknown>('../../../../packages/model/src/areas/*/entities.ts')

/** Loads the declarations of the areas of these entities; unknown paths are skipped. */
export async function loadDeclarations(paths: Iterable<string>): Promise<void> {
  const missing = [...new Set(paths)].filter((path) => declaredAt(path) === undefined)
  const wanted = new Set(missing.flatMap((path) => briefAt(path)?.area ?? []))
  await Promise.all([...wanted].map((area) => areas[`../../../../packages/model/src/areas/${area}/entities.ts`]?.()))
}

/** The declaration of an entity, loaded if necessary; undefined when there is no such entity. */
export async function loadEntity(path: string): Promise<Entity | undefined> {
  await loadDeclarations([path])
  return declaredAt(path)
}
