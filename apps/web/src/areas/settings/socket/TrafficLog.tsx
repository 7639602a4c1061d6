import { SegmentedControl, Switch, Text, Tooltip } from '@mantine/core'
import {
  IconArrowDown,
  IconArrowUp,
  IconCheck,
  IconCopy,
  IconPlayerPause,
  IconPlayerPlay,
  IconTrash,
} from '@tabler/icons-react'
import { useState, useSyncExternalStore } from 'react'
import { ActionButton } from '#kit/ActionButton.tsx'
import { CopyButton } from '#kit/CopyButton.tsx'
import { toWall } from '#kit/clock.ts'
import { IconButton } from '#kit/IconButton.tsx'
import { SearchField } from '#kit/SearchField.tsx'
import { Block, HStack } from '#kit/Stacks.tsx'
import { Fine, Muted } from '#kit/Words.tsx'
import classes from './Socket.module.css'
import { filterLines, type Line, type LineFilter, linesText, MAX_LINES, type Traffic } from './traffic.ts'

/** Messages sent and received since loading. */
export function TrafficLog({ traffic }: { traffic: Traffic }) {
  const lines = useSyncExternalStore(traffic.subscribe, traffic.lines)
  const paused = useSyncExternalStore(traffic.subscribe, () => traffic.paused)
  const missed = useSyncExternalStore(traffic.subscribe, () => traffic.missed)
  const [filter, setFilter] = useState<LineFilter>({ text: '', direction: 'all', quiet: true })
  const shown = filterLines(lines, filter)
  return (
    <Block component="section" framed p={16} miw={0} aria-labelledby="socket-log">
      <div className={classes.bar}>
        <h2 id="socket-log" className={classes.heading}>
          Журнал <Muted>{shown.length}</Muted>
        </h2>
        <ActionButton
          label={paused ? `Продолжить${missed ? ` (пропущено ${missed})` : ''}` : 'Пауза'}
          variant="default"
          size="compact-sm"
          icon={paused ? IconPlayerPlay : IconPlayerPause}
          onClick={() => traffic.pause(!paused)}
        />
        <CopyButton value={linesText(shown)}>
          {({ copied, copy }) => (
            <Tooltip label={copied ? 'Скопировано' : 'Скопировать показанное'}>
              <IconButton
                icon={copied ? IconCheck : IconCopy}
                variant="default"
                label="Скопировать показанное"
                onClick={copy}
                disabled={shown.length === 0}
              />
            </Tooltip>
          )}
        </CopyButton>
        <Tooltip label="Очистить журнал">
          <IconButton
            icon={IconTrash}
            variant="default"
            label="Очистить журнал"
            onClick={() => traffic.clear()}
            disabled={lines.length === 0}
          />
        </Tooltip>
      </div>
      <HStack gap="8px 12px" wrap mb={12}>
        <SearchField
          flex="1 1 160px"
          aria-label="Найти в журнале"
          placeholder="Найти в журнале"
          value={filter.text}
          onChange={(text) => setFilter({ ...filter, text })}
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
      </HStack>
      {shown.length === 0 ? (
        <Text py={24} c="dimmed" ta="center">
          {lines.length === 0
            ? 'Сообщений пока нет: отправьте ping или измените любую запись'
            : 'Ничего не найдено: измените условия'}
        </Text>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard
        <ol tabIndex={0} aria-label={`Последние сообщения, не больше ${MAX_LINES}`}>
          {shown.map((line) => (
            <LogLine key={line.n} line={line} />
          ))}
        </ol>
      )}
    </Block>
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
          <Fine flex="none">{timeText(at)}</Fine>
          <span className={classes.subject}>{subject || text}</span>
          {isError && (
            <Text span size="xs" c="var(--mantine-color-error)" flex="none">
              ошибка
            </Text>
          )}
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
