import { CloseButton } from '@mantine/core'
import type { Create, Entity } from '@ordinator/model/entity'
import { counted } from '@ordinator/model/format'
import { IconLock, type TablerIcon } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { AjaxSelect } from '#kit/AjaxSelect.tsx'
import type { AjaxLoad } from '#kit/useAjaxOptions.ts'
import { onSortKeys, stepPlace, useSortable } from '#kit/useSortable.ts'
import { useCan } from './Can.tsx'
import type { AnyRow } from './fields/ui.ts'
import classes from './LinkedRecords.module.css'
import { LinkFace, type LinkWords } from './LinkFace.tsx'
import { asRows, useList } from './reads.ts'
import { useMove, useRemove, useSave } from './writes.ts'

/** Maximum links shown; the server's limit. */
const MAX_LINKS = 500

/** A kind of linked records: chats, deals, calls. */
export interface LinkKind {
  /** The value of `type` in the link. */
  type: string
  entity: Entity
  label: string
  placeholder: string
  /** Toast after removing a link. */
  removed: string
  forms: readonly [string, string, string]
  icon: TablerIcon
  /** Relations needed for the texts. */
  expand?: readonly string[]
  /** A method, so that each kind takes rows of its own entity. */
  words(row: AnyRow): LinkWords
  load: AjaxLoad
}

interface Props {
  kind: LinkKind
  /** The entity of links: `type`, `idEntity`, `order` and a reference to the owner. */
  links: Entity
  /** The owner, as stored in the links: `{ idTask: 7 }`. */
  of: Readonly<Record<string, number>>
  mayEdit: boolean
  /** Suggestions below the links, for users who may edit. */
  suggest?: (linked: readonly number[], link: (idEntity: number) => void) => ReactNode
  /** Renders the surroundings with title and count. */
  frame: (title: string, count: number, body: ReactNode) => ReactNode
}

interface LinkRow {
  id: number
  type: string
  idEntity: number
}

/** Linked records of one kind, in order; users who may not see the kind get only the count. */
export function LinkedRecords({ kind, links: entityOfLinks, of, mayEdit, suggest, frame }: Props) {
  const { type, entity, label, forms } = kind
  const sees = useCan('view', entity)
  const all = useList(entityOfLinks, { filter: of, sort: 'order', limit: MAX_LINKS }, { forbidden: 'silent' })
  const links = asRows<LinkRow>(all.data?.items).filter((link) => link.type === type)
  const ids = links.map((link) => link.idEntity)
  const list = useList(
    entity,
    { filter: { id: { in: ids } }, expand: kind.expand, limit: MAX_LINKS },
    {
      enabled: sees && ids.length > 0,
      forbidden: 'silent',
    },
  )
  const save = useSave(entityOfLinks)
  const remove = useRemove(entityOfLinks, { message: kind.removed })
  const move = useMove(entityOfLinks)
  const link = (idEntity: number) => save.mutate({ ...of, type, idEntity } as Create<Entity>)
  if (links.length === 0 && !(mayEdit && sees)) return null
  const byId = new Map((list.data?.items ?? []).map((row) => [row.id, row]))
  return frame(
    label,
    links.length,
    <>
      {!sees && (
        <p className={classes.hidden}>
          <IconLock size={14} aria-hidden /> {counted(links.length, forms)}, у вас нет права их смотреть
        </p>
      )}
      {sees && links.length > 0 && (
        <ul className={classes.list}>
          {links.map((link) => {
            const row = byId.get(link.idEntity)
            const words: LinkWords = row ? kind.words(row) : { name: list.isPending ? '…' : 'Удалено', state: '' }
            return (
              <Line
                key={link.id}
                id={link.id}
                type={type}
                mayEdit={mayEdit}
                words={words}
                icon={kind.icon}
                onPut={(id, place) => move.mutate({ id, ...place })}
                onStep={(step) => {
                  const place = stepPlace(links, link.id, step)
                  if (place) move.mutate({ id: link.id, ...place })
                }}
                onRemove={() => remove.mutate(link.id)}
              />
            )
          })}
        </ul>
      )}
      {mayEdit && sees && (
        <AjaxSelect
          size="xs"
          aria-label={kind.placeholder}
          placeholder={kind.placeholder}
          load={async (text, signal) => (await kind.load(text, signal)).filter(({ value }) => !ids.includes(value))}
          value={null}
          onChange={(option) => option && link(option.value)}
        />
      )}
      {mayEdit && sees && suggest?.(ids, link)}
    </>,
  )
}

interface LineProps {
  id: number
  type: string
  mayEdit: boolean
  words: LinkWords
  icon: TablerIcon
  onPut: (id: number, place: { before?: number; after?: number }) => void
  onStep: (step: 'up' | 'down') => void
  onRemove: () => void
}

function Line({ id, type, mayEdit, words, icon, onPut, onStep, onRemove }: LineProps) {
  const { ref, edge, dragging } = useSortable<HTMLLIElement>({ kind: `links-${type}`, id, disabled: !mayEdit, onPut })
  return (
    <li
      ref={ref}
      className={classes.line}
      data-edge={edge ?? undefined}
      data-dragging={dragging || undefined}
      onKeyDown={mayEdit ? onSortKeys(onStep) : undefined}
    >
      <LinkFace words={words} kindIcon={icon} />
      {mayEdit && <CloseButton size="xs" aria-label={`Убрать связь: ${words.name}`} onClick={onRemove} />}
    </li>
  )
}
