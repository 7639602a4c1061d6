/** The tree of groups, from the flat list of them. */
export interface Group {
  id: number
  idParentGroup: number | null
}

interface TreeLine<G> {
  group: G
  /** 0: stands in no other. */
  depth: number
  /** All that stand in the same one, in their order. */
  beside: G[]
}

/** The groups as lines of a tree, each under the one that it stands in. Whose parent is not there stands on top. */
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

/** The ids of a group and of all under it. */
export function underOf(groups: readonly Group[], id: number): number[] {
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

/** What is chosen in a tree: a group, those of none, or all. */
export type Chosen = number | 'none' | undefined
