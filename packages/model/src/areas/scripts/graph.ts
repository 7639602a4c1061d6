import type { ScriptStep } from './script.ts'

/** Marks of a step: unreachable; no path to an end; the talk ends there. */
export type StepMark = 'unreachable' | 'noExit' | 'end'

export interface ScriptNode {
  key: string
  /** Layer: answers from the start, which is layer 0. */
  layer: number
  /** Position in its layer. */
  at: number
  marks: readonly StepMark[]
  /** Number of answers that end the talk. */
  endings: number
}

export interface ScriptEdge {
  from: string
  to: string
  /** Answers on this edge. */
  answers: readonly string[]
  /** Leads to the same layer or upwards. */
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
 * Layout of a script as a graph: the first step on top, every other one in the layer of its distance in answers.
 * Unreachable steps follow in layers below. Linear in steps and answers.
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

/** True when every answer ends the talk, or there is none. */
const isEnd = ({ answers }: ScriptStep) => answers.every(({ next }) => next === null)

type Edge = Omit<ScriptEdge, 'back'>

/** One edge for all answers between two steps. */
function edgesOf(steps: readonly ScriptStep[]): Edge[] {
  const known = new Set(steps.map(({ key }) => key))
  return steps.flatMap(({ key, answers }) =>
    [...Map.groupBy(answers, ({ next }) => next)].flatMap(([to, group]) =>
      to !== null && known.has(to) ? [{ from: key, to, answers: group.map(({ text }) => text) }] : [],
    ),
  )
}

/** Keys by layer. Unreachable steps start new branches below. */
function layersOf(steps: readonly ScriptStep[], out: ReadonlyMap<string, Edge[]>): string[][] {
  const entered = new Set([...out.values()].flat().map(({ to }) => to))
  // Unreachable steps without predecessors start branches; a cycle starts at any of its steps.
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

/** Steps with a path to an end of the talk. */
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
