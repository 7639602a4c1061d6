import { holds } from '@ordinator/model/access'
import { SharedView } from '@ordinator/model/areas/settings/sharedView'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { notify } from '#kit/notify.tsx'
import { api } from './api.ts'
import { errorMessage } from './apiError.ts'
import { recordsWith } from './client.ts'
import type { NamedView } from './namedView.ts'
import { useAccount, useActor } from './session.ts'

/** Key of a shared view in an address: `role-12`. */
const PREFIX = 'role-'
const MAX_SHOWN = 200

/** A view that the holders of a role see. */
export interface RoleView extends NamedView {
  /** Name of the role. */
  role: string
  /** The user may change and delete it. */
  isMine: boolean
}

export interface Sharing<C extends object> {
  views: (C & RoleView)[]
  /** Roles with which the user may share: the own ones. */
  roles: readonly { id: number; name: string }[]
  /** Called when the menu opens: views are read then, or when the address has one. */
  onAsk: () => void
  share: (view: NamedView, contents: C, idRole: number) => Promise<void>
  save: (view: RoleView, contents: C) => Promise<void>
  remove: (view: RoleView) => Promise<void>
}

/**
 * Views of a list that are shared with the user's roles.
 * @param screen the list: `customers`
 * @param opened key of the view in the address
 * @param read validates a stored view, which may be of an older version of the app
 */
export function useSharedViews<C extends object>(
  screen: string,
  opened: string,
  read: (stored: Record<string, unknown>) => C,
): Sharing<C> {
  const actor = useActor()
  const cache = useQueryClient()
  const { roles } = useAccount().user
  const [asked, setAsked] = useState(false)
  const queryKey = ['records', SharedView.path, 'of', screen, actor.id]
  const { data } = useQuery({
    queryKey,
    queryFn: ({ signal }) =>
      recordsWith({ forbidden: 'silent', quiet: true }).list(
        SharedView,
        { filter: { screen }, sort: 'name', limit: MAX_SHOWN },
        { signal },
      ),
    enabled: asked || opened.startsWith(PREFIX),
    retry: false,
    meta: { live: [SharedView.path] },
  })
  const client = recordsWith({ forbidden: 'toast' })
  const stored = (contents: C): Record<string, unknown> => Object.fromEntries(Object.entries(contents))
  const idOf = ({ key }: NamedView) => Number(key.slice(PREFIX.length))
  const done = async (work: Promise<unknown>, words: string) => {
    try {
      await work
      notify.success(words)
      await cache.invalidateQueries({ queryKey })
    } catch (error) {
      notify.error(errorMessage(error))
    }
  }
  return {
    roles,
    onAsk: () => setAsked(true),
    views: (data?.items ?? []).map((row) => ({
      ...read(row.value),
      ...{ key: `${PREFIX}${row.id}`, name: row.name, role: row.roleName },
      isMine: row.idUser === actor.id || holds(actor, 'editUsers'),
    })),
    share: ({ name }, contents, idRole) =>
      done(
        api('POST /shared-views/share', { body: { screen, name, value: stored(contents), idRole } }),
        `Вид «${name}» показан роли`,
      ),
    save: (view, contents) =>
      done(client.update(SharedView, idOf(view), { value: stored(contents) }), `Вид «${view.name}» изменён для всех`),
    remove: (view) => done(client.remove(SharedView, idOf(view)), `Вид «${view.name}» больше не показан роли`),
  }
}
