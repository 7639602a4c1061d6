import { Button, Skeleton } from '@mantine/core'
import type { Entity, Row } from '@ordinator/model/entity'
import type { Page } from '@ordinator/model/page'
import type { PageKey } from '@ordinator/model/pages'
import { SEALED } from '@ordinator/model/sealed'
import { IconArrowLeft, IconFileUnknown } from '@tabler/icons-react'
import { Link, Navigate, useParams, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { routeTo } from '#base/address.ts'
import { id as idOf } from '#base/addressValues.ts'
import { ApiError } from '#base/apiError.ts'
import { useRecordTitle } from '#base/title.ts'
import { ErrorState } from '#kit/ErrorState.tsx'
import { IconButton } from '#kit/IconButton.tsx'
import { PageHead } from '#kit/PageHead.tsx'
import { Revealed, RevealTogether } from '#kit/RevealTogether.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { Block } from '#kit/Stacks.tsx'
import { StatePage } from '#kit/StatePage.tsx'
import { useCan } from '../Can.tsx'
import type { AnyRow } from '../fields/ui.ts'
import { useRecord } from '../reads.ts'
import { headOf } from '../title.ts'
import classes from './Registry.module.css'
import { type RecordParts, RegistryRecord } from './RegistryRecord.tsx'

/** Pixels reserved for the part before the title and for a line of actions, until the record has loaded. */
const START = 48
const ACTIONS = 34

interface Props<E extends Entity> extends RecordParts<E> {
  entity: E
  /** The list page, for the back link. */
  list: Page
  /** The path of a record that belongs to another page of the same entity; undefined if it belongs here. */
  elsewhere?: (row: Row<E>) => string | undefined
  /** The name in the head, where the title needs formatting. */
  named?: (row: Row<E>) => string | undefined
  /** Before the title. */
  start?: (row: Row<E>) => ReactNode
  help?: (row: Row<E>) => string
  actions?: (row: Row<E>) => ReactNode
  /** Shown instead of a sealed record, which opens only for a reason. */
  sealed?: (id: number) => ReactNode
  /** Above the tabs, on each of them; late content uses `useRevealDelay`. */
  under?: (row: Row<E>) => ReactNode
  /** Paths of other records that its fields depend on. */
  live?: readonly string[]
}

/** One record of a registry as a page, at `…/:id` or `…?id=`. */
export function RegistryRecordPage<E extends Entity>(props: Props<E>) {
  const params = useParams({ strict: false }) as { id?: string }
  const search = useSearch({ strict: false }) as { id?: unknown }
  const id = idOf(params.id ?? search.id)
  const { entity, list, elsewhere, start, help, actions, under, live, sealed, named, ...parts } = props
  const answer = useRecord(entity, id, {}, { forbidden: 'page', live })
  const row = answer.data as Row<E> | undefined
  const title = row && (named?.(row) ?? headOf(entity, row as AnyRow))
  const back = `/${list.path}`
  useRecordTitle(title)
  // Without an id: a new record, or the list.
  const asked = params.id ?? search.id
  const mayMake = useCan('create', entity)
  if (asked === undefined)
    return <Navigate {...routeTo({ page: list.key as PageKey, search: mayMake ? { open: 'new' } : {} })} replace />
  if (id === undefined || (answer.error instanceof ApiError && answer.error.status === 404))
    return (
      <StatePage
        icon={IconFileUnknown}
        title={`${entity.label[0]}: запись не найдена`}
        text="Возможно, её удалили."
        actions={<Button renderRoot={(props) => <Link to={back} {...props} />}>К списку</Button>}
      />
    )
  if (sealed && answer.error instanceof ApiError && answer.error.code === SEALED) return sealed(id)
  const other = row && elsewhere?.(row)
  if (other) return <Navigate to={other} replace />
  if (answer.isError) return <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />
  const waits = (
    <div className={classes.page}>
      <LinesSkeleton lines={8} />
    </div>
  )
  return (
    <RevealTogether key={id} busy={!row}>
      <PageHead
        title={title ?? entity.label[0]}
        help={row && help?.(row)}
        start={
          <>
            <IconButton
              icon={IconArrowLeft}
              label={`К списку: ${list.title}`}
              renderRoot={(props) => <Link to={back} {...props} />}
            />
            {row ? start?.(row) : start && <Skeleton circle height={START} />}
          </>
        }
        actions={actions && <Revealed fallback={<Block h={ACTIONS} />}>{row && actions(row)}</Revealed>}
      />
      <Revealed fallback={waits}>
        <div className={classes.page}>
          {row && under?.(row)}
          {row && <RegistryRecord key={row.id} entity={entity} row={row} {...parts} />}
        </div>
      </Revealed>
    </RevealTogether>
  )
}
