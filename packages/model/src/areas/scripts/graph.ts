import type { ScriptStep } from './script.ts'

/** What is to be said of a step: it is never come to; no way leads from it to the end; the talk ends there. */
export type StepMark = 'unreachable' | 'noExit' | 'end'

export interface ScriptNode {
  key: string
  /** Answers from the nearest beginning, which stands in layer 0. */
  layer: number
  /** Place in its layer. */
  at: number
  marks: readonly StepMark[]
  /** Answers after which the talk is over. */
  endings: number
}

export interface ScriptEdge {
  from: string
  to: string
  /** Answers that lead along it. */
  answers: readonly string[]
  /** Leads to the same layer or up. */
  back: boolean
}

export interface ScriptGraph {
  nodes: readonly ScriptNode[]
  edges: readonly ScriptEdge[]
  layers: number
  /** Steps in the widest layer. */
  width: number
}

/**
 * A conversation as a drawing: the first step on top, each other one as few answers below as it takes to come to it.
 * Steps that nothing leads to stand in layers under all others. Linear in steps and answers.
 */
export function scriptGraph(steps: readonly ScriptStep[]): ScriptGraph {
  const edges = edgesOf(steps)
  const out = Map.groupBy(edges, (edge) => edge.from)
  const layers = layersOf(steps, out)
  const reached = reachedFrom(steps.slice(0, 1), out)
  const exits = leadingToEnd(steps, edges)
  const marksOf = (step: ScriptStep): StepMark[] => [
    ...(reached.has(step.key) ? [] : (['unreachable'] as const)),
    ...(exits.has(step.key) ? [] : (['noExit'] as const)),
    ...(isEnd(step) ? (['end'] as const) : []),
  ]
  const byKey = new Map(steps.map((step) => [step.key, step]))
  const nodes = layers.flatMap((keys, layer) =>
    keys.map((key, at) => {
      const step = byKey.get(key) as ScriptStep
      return { key, layer, at, marks: marksOf(step), endings: step.answers.filter(({ next }) => next === null).length }
    }),
  )
  const layerOf = new Map(nodes.map(({ key, layer }) => [key, layer]))
  return {
    nodes,
    edges: edges.map((edge) => ({ ...edge, back: (layerOf.get(edge.to) ?? 0) <= (layerOf.get(edge.from) ?? 0) })),
    layers: layers.length,
    width: Math.max(0, ...layers.map((keys) => keys.length)),
  }
}

/** Every answer ends the talk there, or there is none. */
const isEnd = ({ answers }: ScriptStep) => answers.every(({ next }) => next === null)

type Edge = Omit<ScriptEdge, 'back'>

/** One edge for all answers that lead from one step to another. */
function edgesOf(steps: readonly ScriptStep[]): Edge[] {
  const known = new Set(steps.map(({ key }) => key))
  return steps.flatMap(({ key, answers }) =>
    [...Map.groupBy(answers, ({ next }) => next)].flatMap(([to, group]) =>
      to !== null && known.has(to) ? [{ from: key, to, answers: group.map(({ text }) => text) }] : [],
    ),
  )
}

/** Keys by layer. What the first step does not lead to begins anew under it, a branch at a time. */
function layersOf(steps: readonly ScriptStep[], out: ReadonlyMap<string, Edge[]>): string[][] {
  const entered = new Set([...out.values()].flat().map(({ to }) => to))
  // Of what is not come to, the steps that nothing leads to are the beginnings; a ring has none and begins anywhere.
  const rest = steps.slice(1)
  const beginnings = [
    ...steps.slice(0, 1),
    ...rest.filter(({ key }) => !entered.has(key)),
    ...rest.filter(({ key }) => entered.has(key)),
  ]
  const seen = new Set<string>()
  const layers: string[][] = []
  for (const [i, { key }] of beginnings.entries()) {
    if (seen.has(key)) continue
    seen.add(key)
    const top = i === 0 ? 0 : layers.length
    let layer = [key]
    for (let depth = top; layer.length > 0; depth++) {
      layers[depth] = layer
      layer = layer.flatMap((from) =>
        (out.get(from) ?? []).flatMap(({ to }) => {
          if (seen.has(to)) return []
          seen.add(to)
          return [to]
        }),
      )
    }
  }
  return layers
}

function reachedFrom(starts: readonly ScriptStep[], out: ReadonlyMap<string, Edge[]>): Set<string> {
  const reached = new Set(starts.map(({ key }) => key))
  for (const key of reached) for (const { to } of out.get(key) ?? []) reached.add(to)
  return reached
}

/** Steps from which some answers lead to the end of the talk. */
function leadingToEnd(steps: readonly ScriptStep[], edges: readonly Edge[]): Set<string> {
  const into = Map.groupBy(edges, ({ to }) => to)
  const found = new Set(
    steps
      .filter(({ answers }) => answers.length === 0 || answers.some(({ next }) => next === null))
      .map(({ key }) => key),
  )
  for (const key of found) for (const { from } of into.get(key) ?? []) found.add(from)
  return found
}
