import { ActionIcon, Button, Menu, Skeleton } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconDots, IconGripVertical, IconTrash } from '@tabler/icons-react'
import { type ReactNode, useRef } from 'react'
import { EditableText } from '../../../kit/EditableText.tsx'
import { onSortKeys, useSortable } from '../../../kit/useSortable.ts'
import classes from './Things.module.css'
import type { Thing } from './useThings.ts'

interface Props<R> {
  thing: Thing<R>
  /** What it is, for a screen reader: «Чек-лист». */
  kind: string
  maxName: number
  mayEdit: boolean
  /** Just made: its name is asked for. */
  fresh: boolean
  isFirst: boolean
  isLast: boolean
  /** After the name. */
  facts?: ReactNode
  /** Between the name and the menu. */
  actions?: ReactNode
  /** Its own lines of the menu. */
  menu?: ReactNode
  onName: (name: string) => void
  onStep: (step: 'up' | 'down') => void
  onPut: (idLink: number, place: { before?: number; after?: number }) => void
  onRemove: () => void
  children: ReactNode
}

/** The frame of a check list, a client list or a poll: its name, its menu, its place among the others. */
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
        <span className={classes.actions}>
          {actions}
          {mayEdit && (
            <Menu position="bottom-end" width={248}>
              <Menu.Target>
                <ActionIcon variant="subtle" color="gray" size={28} aria-label={`Действия: ${kind} «${name}»`}>
                  <IconDots size={16} />
                </ActionIcon>
              </Menu.Target>
              <Menu.Dropdown>
                {menu}
                <Menu.Item leftSection={<IconArrowUp size={16} />} disabled={isFirst} onClick={() => onStep('up')}>
                  Выше
                </Menu.Item>
                <Menu.Item leftSection={<IconArrowDown size={16} />} disabled={isLast} onClick={() => onStep('down')}>
                  Ниже
                </Menu.Item>
                <Menu.Item
                  color="var(--mantine-color-error)"
                  leftSection={<IconTrash size={16} />}
                  onClick={props.onRemove}
                >
                  Удалить
                </Menu.Item>
              </Menu.Dropdown>
            </Menu>
          )}
        </span>
      </div>
      {props.children}
    </section>
  )
}

/** While things are read, or when they are not. */
export function ThingsState({ pending, error, retry }: { pending: boolean; error: Error | null; retry: () => void }) {
  if (error)
    return (
      <p className={classes.nothing} role="alert">
        Не загрузилось: {error.message}{' '}
        <Button size="compact-xs" variant="subtle" onClick={retry}>
          Повторить
        </Button>
      </p>
    )
  return pending ? <Skeleton height={28} mt="md" width="60%" aria-hidden /> : null
}
