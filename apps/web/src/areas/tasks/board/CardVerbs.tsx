import { Menu } from '@mantine/core'
import { offeredVerbs, type Verb, verbs } from '@ordinator/model/areas/tasks/states'
import { IconArrowRightBar, IconCopy } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { MenuItem } from '#kit/ActionMenu.tsx'
import { part } from '#kit/chunk.ts'
import { useHotkey } from '#kit/hotkeys.ts'
import { notify } from '#kit/notify.tsx'
import type { Card } from '../cards.ts'
import type { CardMenuProps } from './menuProps.ts'
import { SendBack } from './SendBack.tsx'
import type { BoardRights } from './useBoardData.ts'
import { type UseVerb, useVerbs } from './useVerbs.ts'
import { verbIcons } from './verbIcons.ts'

const CopyTask = part(async () => ({ default: (await import('./CopyTask.tsx')).CopyTask }))
const MoveToBoard = part(async () => ({ default: (await import('./MoveToBoard.tsx')).MoveToBoard }))

/** Menu items of a card: state verbs, copy, move to another workspace. */
export function CardVerbs({ card, data, rights, store, show }: CardMenuProps) {
  const use = useVerbs(store, data, rights)
  if ((card.task as { isTemplate?: boolean }).isTemplate) return null
  const { primary, others } = offeredVerbs((verb) => rights.verb(verb, card.task))
  const lines = [...(primary ? [{ verb: primary, refused: undefined }] : []), ...others]
  const close = () => show(undefined)
  return (
    <>
      <Menu.Divider />
      <VerbItems lines={lines} onUse={(verb) => applyVerb(use, card, verb, show)} />
      <Menu.Divider />
      {rights.createTask && (
        <MenuItem
          label="Копировать в…"
          icon={IconCopy}
          onClick={() => show(<CopyTask card={card} data={data} store={store} onClose={close} />)}
        />
      )}
      {mayTakeAway(rights) && (
        <MenuItem
          label="В другое пространство…"
          icon={IconArrowRightBar}
          onClick={() => show(<MoveToBoard card={card} data={data} store={store} onClose={close} />)}
        />
      )}
    </>
  )
}

/** Menu items of verbs; unavailable ones show the reason. */
export function VerbItems(props: {
  lines: readonly { verb: Verb; refused?: string | undefined }[]
  onUse: (verb: Verb) => void
}) {
  return props.lines.map(({ verb, refused }) => {
    const Icon = verbIcons[verb]
    return (
      <MenuItem
        label={verbs[verb].label}
        key={verb}
        icon={Icon}
        title={refused}
        // A disabled item would show no tooltip and not be focusable.
        aria-disabled={refused !== undefined}
        c={refused === undefined ? undefined : 'dimmed'}
        onClick={() => (refused === undefined ? props.onUse(verb) : notify.info(refused, { id: 'task-verb' }))}
      />
    )
  })
}

/** Applies a verb; one that needs a comment asks first. */
export function applyVerb(use: UseVerb, card: Card, verb: Verb, show: (dialog: ReactNode | undefined) => void): void {
  if (verb !== 'sendBack') void use(card, verb)
  else
    show(
      <SendBack name={card.task.name} onSend={(comment) => use(card, verb, comment)} onClose={() => show(undefined)} />,
    )
}

/** Single-key shortcuts of verbs, for the card of `target`. */
export function useVerbKeys(
  target: () => Card | undefined,
  rights: BoardRights,
  use: UseVerb,
  options: { enabled: boolean; group: string },
): void {
  const press = (choose: (card: Card) => Verb | undefined) => () => {
    const card = target()
    if (!card) return
    const verb = choose(card)
    if (verb) void use(card, verb)
    else notify.info('Состояние этой задачи меняют другие', { id: 'task-verb' })
  }
  useHotkey(
    's',
    press(() => 'start'),
    { ...options, label: verbs.start.label },
  )
  useHotkey(
    'h',
    press((card) => offeredVerbs((verb) => rights.verb(verb, card.task)).finish),
    { ...options, label: 'Сдать, принять, завершить или вернуть в работу' },
  )
}

const mayTakeAway = ({ on }: BoardRights): boolean => on.isOwner || on.bypass || on.member?.canRelationBoard === true
