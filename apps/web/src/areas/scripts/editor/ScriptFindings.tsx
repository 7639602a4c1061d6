import type { ScriptGraph, StepMark } from '@ordinator/model/areas/scripts/graph'
import type { ScriptStep } from '@ordinator/model/areas/scripts/script'
import { plural } from '@ordinator/model/format'
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react'
import { VStack } from '#kit/Stacks.tsx'
import classes from './ScriptFindings.module.css'

interface Props {
  steps: readonly ScriptStep[]
  graph: ScriptGraph
  onSelect: (key: string) => void
}

const MAX_NAMED = 8

/** Problems of the branches, with links to steps. */
export function ScriptFindings({ steps, graph, onSelect }: Props) {
  const titles = new Map(steps.map(({ key, title }) => [key, title]))
  const order = new Map(steps.map(({ key }, at) => [key, at]))
  const having = (mark: StepMark) =>
    graph.nodes
      .filter(({ marks }) => marks.includes(mark))
      .map(({ key }) => key)
      .sort((a, b) => (order.get(a) ?? 0) - (order.get(b) ?? 0))
  const ends = having('end').length
  const endings = graph.nodes.reduce((sum, node) => sum + node.endings, 0)
  const problems = [
    { text: 'Сюда не ведёт ни один ответ:', keys: having('unreachable') },
    { text: 'Отсюда разговор не закончить, ответы ходят по кругу:', keys: having('noExit') },
  ].filter(({ keys }) => keys.length > 0)
  const summary = `${plural(ends, ['Завершает', 'Завершают', 'Завершают'])} разговор: ${ends} ${plural(ends, ['шаг', 'шага', 'шагов'])}, ${endings} ${plural(endings, ['ответ', 'ответа', 'ответов'])}.`
  return (
    <VStack gap={4} c="dimmed" role="status">
      {problems.map(({ text, keys }) => (
        <div key={text} className={classes.line} data-bad>
          <IconAlertTriangle size={16} aria-hidden />
          <span>
            {text}{' '}
            {keys.slice(0, MAX_NAMED).map((key, i) => (
              <span key={key}>
                {i > 0 && ', '}
                <button type="button" className={classes.step} onClick={() => onSelect(key)}>
                  {titles.get(key)}
                </button>
              </span>
            ))}
            {keys.length > MAX_NAMED && ` и ещё ${keys.length - MAX_NAMED}`}
          </span>
        </div>
      ))}
      <div className={classes.line}>
        {problems.length === 0 && <IconCircleCheck size={16} aria-hidden />}
        <span>
          {problems.length === 0 && 'Ко всем шагам можно прийти, от каждого есть путь к концу. '}
          {summary}
        </span>
      </div>
    </VStack>
  )
}
