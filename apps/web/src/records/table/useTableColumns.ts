import type { Entity } from '@ordinator/model/entity'
import { useMemo, useState } from 'react'
import { usePreference } from '#base/preferences.ts'
import { useActor } from '#base/session.ts'
import { useSharedViews } from '#base/sharedViews.ts'
import type { AnyRow } from '../fields/ui.ts'
import { type ColumnSpec, columnsOf, readWidths, shownColumns, withWidths } from './columns.ts'
import { readColumns, readView, readViews } from './views.ts'

interface Of {
  /** Key of the preferences. */
  scope: string
  /** Key of the open view; empty: none. */
  opened: string
  /** The screen's own columns. */
  own: readonly unknown[] | undefined
  /** The screen has its own views. */
  bare: boolean
}

/** Columns of a table: of the open view, else the person's choice; with their widths. */
export function useTableColumns(entity: Entity, { scope, opened, own, bare }: Of) {
  const actor = useActor()
  const [chosen, choose] = usePreference(`columns:${scope}`, readColumns, 'device')
  const [views, saveViews] = usePreference(`views:${scope}`, readViews, bare ? 'device' : 'account')
  const all = useMemo(
    () => columnsOf(entity, actor, own as readonly (string | ColumnSpec<AnyRow>)[] | undefined),
    [entity, actor, own],
  )
  const sharing = useSharedViews(scope, opened, readView)
  const view = [...views.items, ...sharing.views].find((v) => v.key === opened)
  // A saved view includes its columns; choosing others while it is open changes the view.
  const [inView, setInView] = useState<{ key: string; shown: string[] }>()
  const wanted = inView && inView.key === opened ? inView.shown : view?.columns.length ? view.columns : chosen.shown
  const [widths, setWidths] = usePreference(`widths:${scope}`, readWidths, 'device')
  const columns = withWidths(shownColumns(all, wanted), widths)
  const keys = columns.map((column) => column.key)
  const setColumns = (shown: string[]) => (view ? setInView({ key: view.key, shown }) : choose({ shown }))
  /** A view is opened as it is saved. */
  const forget = () => setInView(undefined)
  const setWidth = (key: string, width: number | undefined) => {
    const { [key]: _, ...others } = widths
    setWidths(width === undefined ? others : { ...others, [key]: width })
  }
  const areExplicit = wanted.length > 0
  return { all, view, views, saveViews, sharing, columns, keys, setColumns, forget, setWidth, areExplicit }
}
