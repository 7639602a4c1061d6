import { Skeleton } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconGripVertical, IconTrash } from '@tabler/icons-react'
import { type ReactNode, useRef } from 'react'
import { ActionMenu, MenuItem } from '#kit/ActionMenu.tsx'
import { EditableText } from '#kit/EditableText.tsx'
import { FailedLoad } from '#kit/FailedLoad.tsx'
import { HStack } from '#kit/Stacks.tsx'
import { onSortKeys, useSortable } from '#kit/useSortable.ts'
import classes from './Things.module.css'
import type { Thing } from './useThings.ts'

interface Props<R> {
  thing: Thing<R>
  /** Accessible label: «Чек-лист». */
  kind: string
  maxName: number
  mayEdit: boolean
  /** Just created: focuses the name. */
  fresh: boolean
  isFirst: boolean
  isLast: boolean
  /** After the name. */
  facts?: ReactNode
  /** Between name and menu. */
  actions?: ReactNode
  /** Further menu items. */
  menu?: ReactNode
  onName: (name: string) => void
  onStep: (step: 'up' | 'down') => void
  onPut: (idLink: number, place: { before?: number; after?: number }) => void
  onRemove: () => void
  children: ReactNode
}

/** Frame of a check list, client list or poll: name, menu, position. */
export function ThingFrame<R extends { id: number; name: string }>(props: Props<R>) {
  const { thing, kind, mayEdit, isFirst, isLast, facts, actions, menu, onStep } = props
  const { name } = thing.record
  const grip = useRef<HTMLSpanElement>(null)
  const { ref, edge, dragging } = useSortable<HTMLElement>({
    kind: `links-${thing.link.type}`,
    id: thing.link.id,
    disabled: !mayEdit,
    handle: grip,
    onPut: props.onPut,
  })
  return (
    <section
      ref={ref}
      className={classes.thing}
      aria-label={`${kind} «${name}»`}
      data-edge={edge ?? undefined}
      data-dragging={dragging || undefined}
      data-movable={mayEdit || undefined}
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: keys of the real controls inside */}
      <div className={classes.head} onKeyDown={mayEdit ? onSortKeys(onStep) : undefined}>
        <span ref={grip} className={classes.grip} aria-hidden>
          {mayEdit && <IconGripVertical size={16} />}
        </span>
        <h3 className={classes.title}>
          <EditableText
            value={name}
            label={`${kind}: название`}
            maxLength={props.maxName}
            disabled={!mayEdit}
            fresh={props.fresh}
            onSave={props.onName}
          />
        </h3>
        {facts}
        <HStack component="span" gap={4} display="inline-flex" ml="auto" flex="none">
          {actions}
          {mayEdit && (
            <ActionMenu label={`Действия: ${kind} «${name}»`} size={28} width={248}>
              {menu}
              <MenuItem label="Выше" icon={IconArrowUp} disabled={isFirst} onClick={() => onStep('up')} />
              <MenuItem label="Ниже" icon={IconArrowDown} disabled={isLast} onClick={() => onStep('down')} />
              <MenuItem label="Удалить" danger icon={IconTrash} onClick={props.onRemove} />
            </ActionMenu>
          )}
        </HStack>
      </div>
      {props.children}
    </section>
  )
}

/** Loading and error states. */
export function ThingsState({ pending, error, retry }: { pending: boolean; error: Error | null; retry: () => void }) {
  if (error) return <FailedLoad load={{ error, isFetching: pending, refetch: retry }} />
  return pending ? <Skeleton height={28} mt="md" width="60%" aria-hidden /> : null
}
