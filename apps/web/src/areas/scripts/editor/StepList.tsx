import { autoScrollForElements } from '@atlaskit/pragmatic-drag-and-drop-auto-scroll/element'
import { Menu, Text } from '@mantine/core'
import type { ScriptGraph, StepMark } from '@ordinator/model/areas/scripts/graph'
import { MAX_STEPS, type ScriptStep } from '@ordinator/model/areas/scripts/script'
import { IconCopy, IconTrash } from '@tabler/icons-react'
import { memo, useEffect, useMemo, useRef } from 'react'
import { MenuItem } from '#kit/ActionMenu.tsx'
import { OrderedRow } from '#kit/OrderedRow.tsx'
import { Marks } from './Marks.tsx'
import type { StepActs } from './StepActs.ts'
import classes from './StepList.module.css'

const KIND = 'script-steps'

interface Props {
  steps: readonly ScriptStep[]
  graph: ScriptGraph
  selected: string
  readOnly: boolean
  acts: StepActs
}

/** Ordered steps: the first starts the talk. The open one is beside. */
export function StepList({ steps, graph, selected, readOnly, acts }: Props) {
  const list = useRef<HTMLUListElement>(null)
  useEffect(() => {
    const element = list.current
    if (element) return autoScrollForElements({ element, canScroll: ({ source }) => source.data.sortable === KIND })
  }, [])
  useEffect(() => {
    list.current?.querySelector(`[data-step="${CSS.escape(selected)}"]`)?.scrollIntoView({ block: 'nearest' })
  }, [selected])
  const rows = useRows(steps.length)
  const marks = useMemo(() => new Map(graph.nodes.map((node) => [node.key, node.marks])), [graph])
  return (
    <ul ref={list} className={classes.list} aria-label="Шаги разговора">
      {steps.map((step, i) => (
        <StepRow
          key={step.key}
          keyOf={step.key}
          title={step.title}
          marks={marks.get(step.key)?.join() ?? ''}
          at={i}
          rows={rows}
          selected={step.key === selected}
          readOnly={readOnly}
          acts={acts}
        />
      ))}
    </ul>
  )
}

/** Ids are positions from 1; memoized by length, so that rows are not rendered again. */
const useRows = (count: number) => useMemo(() => Array.from({ length: count }, (_, i) => ({ id: i + 1 })), [count])

interface RowProps {
  keyOf: string
  title: string
  /** A joined string, so that equal marks are equal props. */
  marks: string
  at: number
  rows: readonly { id: number }[]
  selected: boolean
  readOnly: boolean
  acts: StepActs
}

const StepRow = memo(function StepRow({ keyOf, title, marks, at, rows, selected, readOnly, acts }: RowProps) {
  const name = title.trim() || 'Без названия'
  return (
    <OrderedRow
      kind={KIND}
      row={rows[at] as { id: number }}
      rows={rows}
      name={name}
      mayEdit={!readOnly}
      onPut={acts.put}
      menu={
        <>
          <Menu.Divider />
          <MenuItem
            label="Дублировать"
            icon={IconCopy}
            disabled={rows.length >= MAX_STEPS}
            onClick={() => acts.copy(keyOf)}
          />
          <MenuItem label="Удалить" icon={IconTrash} danger onClick={() => acts.remove(keyOf)} />
        </>
      }
    >
      <button
        type="button"
        className={classes.step}
        data-step={keyOf}
        data-selected={selected || undefined}
        aria-current={selected ? 'step' : undefined}
        onClick={() => acts.select(keyOf)}
      >
        <span className={`${classes.number} tabular`}>{at + 1}</span>
        <Text span inherit miw={80} flex={1} className="breaks">
          {name}
        </Text>
        {marks && <Marks marks={marks.split(',') as StepMark[]} />}
      </button>
    </OrderedRow>
  )
})
