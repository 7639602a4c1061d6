import { TextInput } from '@mantine/core'
import { RichTextEditor as Frame } from '@mantine/tiptap'
import { withHeld } from '@ordinator/model/areas/prints/held'
import { surroundings } from '@ordinator/model/areas/prints/printTemplate'
import { mayRead, type Variable, variablesOf } from '@ordinator/model/areas/prints/variables'
import { entityAt } from '@ordinator/model/entities'
import type { Entity } from '@ordinator/model/entity'
import { IconArrowLeft, IconChevronRight, IconRepeat } from '@tabler/icons-react'
import { useState } from 'react'
import { useActor } from '#base/session.ts'
import { IconButton } from '#kit/IconButton.tsx'
import { Popover } from '#kit/Popover.tsx'
import { HStack } from '#kit/Stacks.tsx'
import { Fine } from '#kit/Words.tsx'
import classes from './Prints.module.css'

interface Step {
  words: string
  entity: Entity
  /** A list: placeholders inside are repeated for each record. */
  isList: boolean
}

const at = withHeld(entityAt)

/** Maximum relations in a path. */
const MAX_STEPS = 4

/** Picker of variables of a record and its relations. */
export function VariablePicker({ entity, onPick }: { entity: Entity; onPick: (text: string) => void }) {
  const [opened, setOpened] = useState(false)
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-start" shadow="md">
      <Popover.Target>
        <Frame.Control
          className={classes.word}
          aria-label="Переменная: вставить"
          title="Вставить переменную"
          onClick={() => setOpened(!opened)}
        >
          Переменная
        </Frame.Control>
      </Popover.Target>
      <Popover.Dropdown p={8}>
        {opened && (
          <Variables
            root={entity}
            onPick={(text) => {
              setOpened(false)
              onPick(text)
            }}
          />
        )}
      </Popover.Dropdown>
    </Popover>
  )
}

/** Maximum found variables of relations. */
const MAX_INSIDE = 40

function Variables({ root, onPick }: { root: Entity; onPick: (text: string) => void }) {
  const actor = useActor()
  const [steps, setSteps] = useState<Step[]>([])
  const [text, setText] = useState('')
  const here = steps.at(-1)
  const own = variablesOf(here?.entity ?? root, at).filter((one) => mayRead(one, actor, at))
  const around: Variable[] = here
    ? []
    : Object.entries<{ words: string; to?: string }>(surroundings).map(([key, { words, to }]) => ({
        key,
        words,
        kind: to ? 'one' : 'value',
        ...(to && { to }),
      }))
  const sought = text.trim().toLocaleLowerCase('ru')
  const shown = [...own, ...around].filter(({ words }) => words.toLocaleLowerCase('ru').includes(sought))
  // «фио» also finds variables of relations: «Клиент › ФИО».
  const inside = sought
    ? own.flatMap((one) => {
        const other = one.kind === 'one' && one.to !== undefined ? at(one.to) : undefined
        if (!other) return []
        return variablesOf(other, at)
          .filter(
            (its) =>
              its.kind === 'value' && mayRead(its, actor, at) && its.words.toLocaleLowerCase('ru').includes(sought),
          )
          .map((its) => ({ words: `${one.words} › ${its.words}`, path: `${one.words}.${its.words}` }))
      })
    : []
  const go = (next: Step[]) => {
    setSteps(next)
    setText('')
  }
  /** Path from the record, or from the current loop's list. */
  const path = (words: string) => {
    const from = steps.findLastIndex(({ isList }) => isList) + 1
    return [...steps.slice(from).map((step) => step.words), words].join('.')
  }
  return (
    <div className={classes.variables}>
      {here && (
        <HStack gap={4} mb={4}>
          <IconButton icon={IconArrowLeft} label="Назад" onClick={() => go(steps.slice(0, -1))} />
          <Fine className="breaks">{steps.map(({ words }) => words).join(' › ')}</Fine>
        </HStack>
      )}
      <TextInput
        data-autofocus
        aria-label="Найти переменную"
        placeholder="Найти"
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        mb={4}
      />
      {here?.isList && (
        <button
          type="button"
          className={classes.variable}
          onClick={() => onPick(`{{ для каждого ${pathOfList(steps)} }} {{ конец }}`)}
        >
          <span>
            <IconRepeat size={14} aria-hidden /> Повторить для каждой записи
          </span>
        </button>
      )}
      <ul className={classes.list} aria-label="Переменные">
        {shown.map((one) => {
          const other = one.to === undefined ? undefined : at(one.to)
          const leads = other && steps.length < MAX_STEPS
          return (
            <li key={one.key + one.words}>
              <button
                type="button"
                className={classes.variable}
                onClick={() =>
                  leads
                    ? go([...steps, { words: one.words, entity: other, isList: one.kind === 'many' }])
                    : onPick(`{{ ${path(one.words)} }}`)
                }
              >
                <span className="breaks">{one.words}</span>
                {leads && (
                  <Fine component="span">
                    {one.kind === 'many' ? 'список ' : ''}
                    <IconChevronRight size={14} aria-hidden />
                  </Fine>
                )}
              </button>
            </li>
          )
        })}
        {shown.length === 0 && <Fine p={8}>Ничего не найдено</Fine>}
        {inside.slice(0, MAX_INSIDE).map((one) => (
          <li key={one.path}>
            <button type="button" className={classes.variable} onClick={() => onPick(`{{ ${path(one.path)} }}`)}>
              <span>{one.words}</span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** Path of the open list, from the list around it. */
function pathOfList(steps: readonly Step[]): string {
  const before = steps.slice(0, -1).findLastIndex(({ isList }) => isList) + 1
  return steps
    .slice(before)
    .map(({ words }) => words)
    .join('.')
}
