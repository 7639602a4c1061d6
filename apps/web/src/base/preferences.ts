import { UserSetting } from '@ordinator/model/areas/settings/userSetting'
import type { Row } from '@ordinator/model/entity'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { notify } from '#kit/notify.tsx'
import { ApiError, errorMessage } from './apiError.ts'
import { recordsWith } from './client.ts'
import { useActor } from './session.ts'
import { stored, write } from './stored.ts'

/**
 * A user's preference for a screen: columns, saved views. `device` stores it in this browser; `account` in the user's
 * settings on the server, with the browser's copy shown until they are read.
 */
export type PreferencePlace = 'device' | 'account'

const FRESH_MS = 5 * 60_000
const MAX_NAME = 128

/** Components that show a preference, by its key: a change in one part of the screen updates the others. */
const shown = new Map<string, Set<(value: unknown) => void>>()

/**
 * @param name `columns:tasks-management/tasks`
 * @param read validates the stored value, which may be from an older version of the app
 */
export function usePreference<T extends object>(
  name: string,
  read: (stored: unknown) => T,
  place: PreferencePlace,
): [T, (value: T) => void] {
  const actor = useActor()
  const cache = useQueryClient()
  const key = `ordinator:${actor.id}:${name}`
  const [local, setLocal] = useState<{ key: string; value: unknown }>(() => ({ key, value: stored(key) }))
  useEffect(() => {
    const take = (value: unknown) => setLocal({ key, value })
    const all = shown.get(key) ?? new Set()
    shown.set(key, all.add(take))
    return () => {
      all.delete(take)
      if (all.size === 0) shown.delete(key)
    }
  }, [key])
  const queryKey = ['records', UserSetting.path, 'preference', name, actor.id]
  const remote = useQuery({
    queryKey,
    queryFn: async ({ signal }) => {
      const query = { filter: { name: name.slice(0, MAX_NAME), idUser: actor.id }, limit: 1 }
      try {
        const { items } = await recordsWith({ forbidden: 'silent', quiet: true }).list(UserSetting, query, { signal })
        return items[0] ?? null
      } catch (error) {
        // From spec §8. A lost connection has its own toast.
        if (error instanceof ApiError && error.status >= 400 && error.status !== 401)
          notify.error(errorMessage(error), {
            title: 'Не удалось получить настройки пользователя по названию',
            id: 'settings',
          })
        throw error
      }
    },
    enabled: place === 'account',
    staleTime: FRESH_MS,
    retry: false,
    meta: { reportsFailure: true },
  })
  const unsent = `${key}:unsent`
  const save = useMutation({
    // One after another: the last change is the one that stays.
    scope: { id: key },
    mutationFn: async (value: T) => {
      const there = cache.getQueryData<Row<typeof UserSetting> | null>(queryKey)
      const client = recordsWith({ forbidden: 'silent' })
      const body = { value: value as Record<string, unknown> }
      return there
        ? client.update(UserSetting, there.id, body)
        : client.create(UserSetting, { name: name.slice(0, MAX_NAME), ...body })
    },
    onSuccess: (row, value) => {
      const last = stored(key)
      const isLast = JSON.stringify(last) === JSON.stringify(value)
      if (isLast) write(unsent, undefined)
      cache.setQueryData(queryKey, isLast ? row : { ...row, value: last })
    },
    // What the server refuses is not sent again.
    onError: (error) => error instanceof ApiError && error.status >= 400 && write(unsent, undefined),
  })
  const here = local.key === key ? local.value : stored(key)
  const found = place === 'account' && remote.data && !stored(unsent) ? remote.data.value : here
  // biome-ignore lint/correctness/useExhaustiveDependencies: the reader is a constant of its screen
  const value = useMemo(() => read(found), [found])
  const { mutate } = save
  // The page was left, or the connection lost, before the last change arrived.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the stored value has been read
  useEffect(() => {
    if (remote.isSuccess && stored(unsent)) mutate(read(stored(key)))
  }, [remote.isSuccess, key])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key covers its parts
  const set = useCallback(
    (next: T) => {
      setLocal({ key, value: next })
      write(key, next)
      for (const take of shown.get(key) ?? []) take(next)
      if (place !== 'account') return
      write(unsent, true)
      cache.setQueryData(queryKey, (row: object | null | undefined) => (row ? { ...row, value: next } : row))
      mutate(next)
    },
    [key, place, mutate],
  )
  return [value, set]
}
