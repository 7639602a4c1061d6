import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { scriptGraph } from './graph.ts'
import type { ScriptStep } from './script.ts'

const step = (key: string, ...next: (string | null)[]): ScriptStep => ({
  key,
  title: key,
  text: '',
  answers: next.map((to, i) => ({ text: `${i}`, next: to })),
})
const marks = (...steps: ScriptStep[]) =>
  Object.fromEntries(scriptGraph(steps).nodes.map((node) => [node.key, node.marks.join()]))

describe('the text of a step', () => {
  it.each([
    ['nothing at all', [], {}],
    ['a step alone is an end', [step('a')], { a: 'end' }],
    ['an answer that ends the talk', [step('a', null, 'b'), step('b')], { a: '', b: 'end' }],
    ['nothing leads there', [step('a', null), step('b', 'a')], { a: 'end', b: 'unreachable' }],
    ['a ring', [step('a', 'b'), step('b', 'a')], { a: 'noExit', b: 'noExit' }],
    ['a ring with a way out', [step('a', 'b'), step('b', 'a', null)], { a: '', b: '' }],
    ['a way into a ring', [step('a', 'b', null), step('b', 'b')], { a: '', b: 'noExit' }],
    [
      'a ring apart',
      [step('a'), step('b', 'c'), step('c', 'b')],
      { a: 'end', b: 'unreachable,noExit', c: 'unreachable,noExit' },
    ],
    ['an answer to a step that is gone', [step('a', 'z', null)], { a: '' }],
  ])('%s', (_, steps, expected) => {
    expect(marks(...steps)).toEqual(expected)
  })
})

it('answers with one aim are one edge', () => {
  const { edges } = scriptGraph([step('a', 'b', 'b', 'a'), step('b', 'a')])
  expect(edges).toEqual([
    { from: 'a', to: 'b', answers: ['0', '1'], back: false },
    { from: 'a', to: 'a', answers: ['2'], back: true },
    { from: 'b', to: 'a', answers: ['0'], back: true },
  ])
})

const scripts = fc.integer({ min: 0, max: 12 }).chain((count) => {
  const key = count ? fc.option(fc.nat(count - 1).map((at) => `s${at}`)) : fc.constant(null)
  return fc
    .array(fc.array(key, { maxLength: 4 }), { minLength: count, maxLength: count })
    .map((all) => all.map((next, at) => step(`s${at}`, ...next)))
})

/** Keys reachable by answers, found by a simple walk. */
function walked(steps: ScriptStep[], from: string): Set<string> {
  const seen = new Set([from])
  for (let i = 0; i < steps.length; i++)
    for (const { key, answers } of steps)
      if (seen.has(key)) for (const { next } of answers) if (next !== null) seen.add(next)
  return seen
}

it('every step has one place of its own, and marks are what walking finds', () => {
  fc.assert(
    fc.property(scripts, (steps) => {
      const graph = scriptGraph(steps)
      expect(graph.nodes.map(({ key }) => key).sort()).toEqual(steps.map(({ key }) => key).sort())
      expect(new Set(graph.nodes.map(({ layer, at }) => `${layer} ${at}`)).size).toBe(steps.length)
      expect(Math.max(-1, ...graph.nodes.map(({ layer }) => layer))).toBe(graph.layers - 1)
      const reached = steps[0] ? walked(steps, steps[0].key) : new Set()
      for (const { key, marks: found } of graph.nodes) {
        expect(found.includes('unreachable')).toBe(!reached.has(key))
        const ways = walked(steps, key)
        const ends = steps.some(
          (one) => ways.has(one.key) && (one.answers.length === 0 || one.answers.some(({ next }) => next === null)),
        )
        expect(found.includes('noExit')).toBe(!ends)
      }
    }),
  )
})

it('an edge that is not back leads to the next layer below, and each step under another has one from there', () => {
  fc.assert(
    fc.property(scripts, (steps) => {
      const { nodes, edges } = scriptGraph(steps)
      const layer = new Map(nodes.map((node) => [node.key, node.layer]))
      for (const { from, to, back } of edges) {
        expect(back).toBe((layer.get(to) as number) <= (layer.get(from) as number))
        const unreachable = nodes.find(({ key }) => key === from)?.marks.includes('unreachable')
        if (!back && !unreachable) expect(layer.get(to)).toBe((layer.get(from) as number) + 1)
      }
      for (const node of nodes)
        if (node.layer > 0 && !node.marks.includes('unreachable'))
          expect(edges.some(({ from, to }) => to === node.key && layer.get(from) === node.layer - 1)).toBe(true)
    }),
  )
})

it('200 steps of 20 answers are laid out at once', () => {
  const steps = Array.from({ length: 200 }, (_, i) =>
    step(`s${i}`, ...Array.from({ length: 20 }, (_, j) => `s${(i * 7 + j * 13) % 200}`)),
  )
  const started = performance.now()
  expect(scriptGraph(steps).nodes).toHaveLength(200)
  expect(performance.now() - started).toBeLessThan(500)
})
