import { Text } from '@mantine/core'
import type { ScriptEdge, ScriptGraph, ScriptNode } from '@ordinator/model/areas/scripts/graph'
import type { ScriptStep } from '@ordinator/model/areas/scripts/script'
import { type KeyboardEvent, memo, useEffect, useMemo, useRef } from 'react'
import { Fine, KeysHint } from '#kit/Words.tsx'
import { markWords } from './marks.ts'
import classes from './ScriptMap.module.css'

/** Pixels. */
const BOX = { width: 128, height: 48 }
const GAP = { x: 16, y: 32 }
const PAD = 16
/** Width of the detour of backward edges, to the right. */
const DETOUR = 28

interface Props {
  steps: readonly ScriptStep[]
  graph: ScriptGraph
  selected: string
  onSelect: (key: string) => void
}

/** Map of the steps: the first on top, forward edges solid, backward ones dashed. Arrow keys navigate. */
export const ScriptMap = memo(function ScriptMap({ steps, graph, selected, onSelect }: Props) {
  const frame = useRef<HTMLDivElement>(null)
  const named = useMemo(() => new Map(steps.map((step, i) => [step.key, `${i + 1}. ${step.title.trim()}`])), [steps])
  const places = useMemo(() => placesOf(graph), [graph])
  useEffect(() => {
    const box = frame.current?.querySelector<HTMLElement>(`[data-node="${CSS.escape(selected)}"]`)
    const { current } = frame
    if (!box || !current) return
    current.scrollTo({
      left: box.offsetLeft - (current.clientWidth - BOX.width) / 2,
      top: box.offsetTop - (current.clientHeight - BOX.height) / 2,
    })
  }, [selected])
  const walk = (event: KeyboardEvent) => {
    const next = neighbour(graph, selected, event.key)
    if (!next) return
    event.preventDefault()
    onSelect(next)
    frame.current?.querySelector<HTMLElement>(`[data-node="${CSS.escape(next)}"]`)?.focus({ preventScroll: true })
  }
  const width = PAD * 2 + graph.width * (BOX.width + GAP.x) - GAP.x + DETOUR
  const height = PAD * 2 + graph.layers * (BOX.height + GAP.y) - GAP.y
  return (
    <section className={classes.map} aria-label="Карта разговора">
      <div ref={frame} className={classes.frame}>
        {/* biome-ignore lint/a11y/useSemanticElements: a group of buttons that arrows walk along */}
        <div
          role="group"
          aria-label="Шаги на карте"
          className={classes.field}
          style={{ width, height }}
          onKeyDown={walk}
        >
          <svg width={width} height={height} className={classes.ways} aria-hidden="true">
            <defs>
              <marker
                id="script-arrow"
                viewBox="0 0 8 8"
                refX="7"
                refY="4"
                markerWidth="8"
                markerHeight="8"
                orient="auto"
              >
                <path d="M0 0 L8 4 L0 8 Z" fill="context-stroke" />
              </marker>
            </defs>
            {graph.edges.map((edge) => (
              <path
                key={`${edge.from} ${edge.to}`}
                d={wayOf(edge, places)}
                className={classes.way}
                data-back={edge.back || undefined}
                data-near={edge.from === selected || edge.to === selected || undefined}
                markerEnd="url(#script-arrow)"
              >
                <title>{edge.answers.join(', ')}</title>
              </path>
            ))}
          </svg>
          {graph.nodes.map((node) => {
            const place = places.get(node.key)
            return (
              <button
                key={node.key}
                type="button"
                data-node={node.key}
                data-mark={node.marks[0]}
                data-start={(node.layer === 0 && node.at === 0) || undefined}
                className={classes.step}
                style={{ left: place?.x, top: place?.y, ...BOX }}
                aria-pressed={node.key === selected}
                tabIndex={node.key === selected ? 0 : -1}
                title={named.get(node.key)}
                onClick={() => onSelect(node.key)}
              >
                <Text span fz={13} lh="18px" truncate>
                  {named.get(node.key)}
                </Text>
                <span className={classes.note}>{noteOf(node)}</span>
              </button>
            )
          })}
        </div>
      </div>
      <Fine component="p">
        <KeysHint>Стрелки на клавиатуре ведут по шагам. </KeysHint>Пунктир — ответ возвращает к шагу выше или рядом.
      </Fine>
    </section>
  )
})

function noteOf({ layer, at, marks, endings }: ScriptNode): string {
  const words = marks.map((mark) => markWords[mark])
  if (layer === 0 && at === 0) words.unshift('начало')
  if (endings > 0 && !marks.includes('end')) words.push('может закончить')
  return words.join(', ')
}

type Place = { x: number; y: number }

/** Layers are centred. */
function placesOf({ nodes, width }: ScriptGraph): Map<string, Place> {
  const counts = Map.groupBy(nodes, ({ layer }) => layer)
  return new Map(
    nodes.map(({ key, layer, at }) => {
      const free = width - (counts.get(layer)?.length ?? 0)
      const x = PAD + (at + free / 2) * (BOX.width + GAP.x)
      return [key, { x, y: PAD + layer * (BOX.height + GAP.y) }]
    }),
  )
}

/** Path of an edge: down from bottom to top; back around the right side. */
function wayOf({ from, to, back }: ScriptEdge, places: ReadonlyMap<string, Place>): string {
  const a = places.get(from)
  const b = places.get(to)
  if (!a || !b) return ''
  if (back) {
    const [startX, startY] = [a.x + BOX.width, a.y + BOX.height / 2]
    const [endX, endY] = [b.x + BOX.width, b.y + BOX.height / 2 + (from === to ? -10 : 0)]
    const far = Math.max(startX, endX) + DETOUR
    return `M${startX} ${startY} C${far} ${startY} ${far} ${endY} ${endX} ${endY}`
  }
  const [startX, startY] = [a.x + BOX.width / 2, a.y + BOX.height]
  const [endX, endY] = [b.x + BOX.width / 2, b.y]
  const middle = (startY + endY) / 2
  return `M${startX} ${startY} C${startX} ${middle} ${endX} ${middle} ${endX} ${endY}`
}

/** Step in the direction of an arrow key: the neighbour in the layer, or the nearest in the next layer. */
function neighbour({ nodes }: ScriptGraph, selected: string, pressed: string): string | undefined {
  const step = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[pressed]
  const here = nodes.find(({ key }) => key === selected)
  if (!step || !here) return undefined
  const [down = 0, right = 0] = step
  const layer = nodes.filter((node) => node.layer === here.layer + down)
  return layer[Math.min(here.at + right, layer.length - (right ? 0 : 1))]?.key
}
