/** Builds the tree of groups from a flat list. */
export interface Group {
  id: number
  idParentGroup: number | null
}

interface TreeLine<G> {
  group: G
  /** 0: top level. */
  depth: number
  /** All siblings, in order. */
  beside: G[]
}

/** The groups as lines of a tree, each below its parent. Groups with an unknown parent are at the top level. */
export function treeOf<G extends Group>(groups: readonly G[]): TreeLine<G>[] {
  const known = new Set(groups.map(({ id }) => id))
  const inside = Map.groupBy(groups, ({ idParentGroup }) =>
    idParentGroup !== null && known.has(idParentGroup) ? idParentGroup : null,
  )
  const lines = (parent: number | null, depth: number): TreeLine<G>[] => {
    const beside = inside.get(parent) ?? []
    return beside.flatMap((group) => [{ group, depth, beside }, ...lines(group.id, depth + 1)])
  }
  return lines(null, 0)
}

/** Ids of a group and all its subgroups. */
export function withSubgroups(groups: readonly Group[], id: number): number[] {
  const found = new Set([id])
  for (const one of found)
    for (const { id: inner, idParentGroup } of groups) if (idParentGroup === one) found.add(inner)
  return [...found]
}

/** «Звонки / Входящие» */
export function pathOf<G extends Group>(groups: readonly G[], group: G, nameOf: (group: G) => string): string {
  const parent = groups.find(({ id }) => id === group.idParentGroup)
  return parent ? `${pathOf(groups, parent, nameOf)} / ${nameOf(group)}` : nameOf(group)
}

/** The selection in a tree: a group, records without a group, or all. */
export type Chosen = number | 'none' | undefined
