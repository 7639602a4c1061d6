import { ActionIcon, Button, CopyButton, SegmentedControl, Switch, TextInput, Tooltip } from '@mantine/core'
import {
  IconArrowDown,
  IconArrowUp,
  IconCheck,
  IconCopy,
  IconPlayerPause,
  IconPlayerPlay,
  IconSearch,
  IconTrash,
} from '@tabler/icons-react'
import { useState, useSyncExternalStore } from 'react'
import { toWall } from '../../../kit/clock.ts'
import classes from './Socket.module.css'
import { filterLines, type Line, type LineFilter, linesText, MAX_LINES, type Traffic } from './traffic.ts'

/** Messages sent and received since the page was opened. */
export function TrafficLog({ traffic }: { traffic: Traffic }) {
  const lines = useSyncExternalStore(traffic.subscribe, traffic.lines)
  const paused = useSyncExternalStore(traffic.subscribe, () => traffic.paused)
  const missed = useSyncExternalStore(traffic.subscribe, () => traffic.missed)
  const [filter, setFilter] = useState<LineFilter>({ text: '', direction: 'all', quiet: true })
  const shown = filterLines(lines, filter)
  return (
    <section className={classes.card} aria-labelledby="socket-log">
      <div className={classes.bar}>
        <h2 id="socket-log" className={classes.heading}>
          Журнал <span className={classes.count}>{shown.length}</span>
        </h2>
        <Button
          variant="default"
          size="compact-sm"
          leftSection={paused ? <IconPlayerPlay size={16} /> : <IconPlayerPause size={16} />}
          onClick={() => traffic.pause(!paused)}
        >
          {paused ? `Продолжить${missed ? ` (пропущено ${missed})` : ''}` : 'Пауза'}
        </Button>
        <CopyButton value={linesText(shown)}>
          {({ copied, copy }) => (
            <Tooltip label={copied ? 'Скопировано' : 'Скопировать показанное'}>
              <ActionIcon
                variant="default"
                aria-label="Скопировать показанное"
                onClick={copy}
                disabled={shown.length === 0}
              >
                {copied ? <IconCheck size={18} /> : <IconCopy size={18} />}
              </ActionIcon>
            </Tooltip>
          )}
        </CopyButton>
        <Tooltip label="Очистить журнал">
          <ActionIcon
            variant="default"
            aria-label="Очистить журнал"
            onClick={() => traffic.clear()}
            disabled={lines.length === 0}
          >
            <IconTrash size={18} />
          </ActionIcon>
        </Tooltip>
      </div>
      <div className={classes.filters}>
        <TextInput
          className={classes.search}
          aria-label="Найти в журнале"
          placeholder="Найти в журнале"
          leftSection={<IconSearch size={18} />}
          value={filter.text}
          onChange={(event) => setFilter({ ...filter, text: event.currentTarget.value })}
        />
        <SegmentedControl
          aria-label="Направление"
          value={filter.direction}
          onChange={(direction) => setFilter({ ...filter, direction: direction as LineFilter['direction'] })}
          data={[
            { value: 'all', label: 'Все' },
            { value: 'in', label: 'Входящие' },
            { value: 'out', label: 'Исходящие' },
          ]}
        />
        <Switch
          label="Без ping и pong"
          checked={filter.quiet}
          onChange={(event) => setFilter({ ...filter, quiet: event.currentTarget.checked })}
        />
      </div>
      {shown.length === 0 ? (
        <p className={classes.empty}>
          {lines.length === 0
            ? 'Сообщений пока нет: отправьте ping или измените любую запись'
            : 'Ничего не найдено: измените условия'}
        </p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard
        <ol className={classes.log} tabIndex={0} aria-label={`Последние сообщения, не больше ${MAX_LINES}`}>
          {shown.map((line) => (
            <LogLine key={line.n} line={line} />
          ))}
        </ol>
      )}
    </section>
  )
}

/** 'HH:mm:ss.SSS' */
const timeText = (at: number): string => toWall(new Date(at)).toISOString().slice(11, 23)

function LogLine({ line: { at, direction, text, subject, isError } }: { line: Line }) {
  const Arrow = direction === 'in' ? IconArrowDown : IconArrowUp
  return (
    <li className={classes.entry} data-error={isError || undefined}>
      <details>
        <summary>
          <Arrow
            size={16}
            className={classes.arrow}
            data-direction={direction}
            aria-label={direction === 'in' ? 'Получено' : 'Отправлено'}
            role="img"
          />
          <span className={classes.time}>{timeText(at)}</span>
          <span className={classes.subject}>{subject || text}</span>
          {isError && <span className={classes.error}>ошибка</span>}
        </summary>
        <pre className={classes.text}>{pretty(text)}</pre>
      </details>
    </li>
  )
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
