import type { SettingMark } from '@ordinator/model/areas/settings/calls'
import { type CommonSettingName, type CommonSettings, isSecret } from '@ordinator/model/areas/settings/commonSettings'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '#base/api.ts'
import { ApiError, errorMessage } from '#base/apiError.ts'
import { session } from '#base/session.ts'
import { notify } from '#kit/notify.tsx'

const queryKey = ['commonSettings'] as const

export interface SettingsState {
  values: CommonSettings
  marks: Record<string, SettingMark>
}

const stateQuery = queryOptions({
  queryKey: [...queryKey, 'state'],
  queryFn: ({ signal }) => api('GET /settings/state', {}, { signal }),
  // Reloads on window focus, to show others' changes.
  refetchOnWindowFocus: 'always',
})

/** The clinic's settings with versions. */
export const useSettingsState = () => useQuery(stateQuery)

/** Query key of changes, newest first. */
export const changesKey = (name: CommonSettingName | undefined) => [...queryKey, 'changes', name ?? ''] as const

/** Reloads the settings and the account. */
export function useSettingsChanged() {
  const cache = useQueryClient()
  return async () => {
    await Promise.all([cache.invalidateQueries({ queryKey }), session.reload()])
  }
}

/** An edited value, and the version it replaces. */
type Changes = Partial<Record<CommonSettingName, { value: unknown; version: number }>>

/** Unsaved changes. Only these are sent, so that concurrent saves keep each other's changes. */
export function useSettingsDraft({ values, marks }: SettingsState) {
  const [changes, setChanges] = useState<Changes>({})
  const [wrong, setWrong] = useState<Record<string, string>>({})
  const changed = useSettingsChanged()
  const names = Object.keys(changes) as CommonSettingName[]
  const save = useMutation({
    mutationFn: () => {
      const body = Object.fromEntries(names.map((name) => [name, changes[name]?.value]))
      const versions = Object.fromEntries(names.map((name) => [name, changes[name]?.version]))
      return api('PUT /settings/common', { body: { ...body, _versions: versions } }, { forbidden: 'toast' })
    },
    async onSuccess() {
      const before = Object.fromEntries(names.map((name) => [name, values[name]]))
      setChanges({})
      setWrong({})
      // Without undo: a replaced secret is not stored.
      if (names.some(isSecret)) notify.success('Настройки сохранены')
      else notify.undo('Настройки сохранены', () => restore(before))
      await changed()
    },
    async onError(error) {
      if (!(error instanceof ApiError)) return
      setWrong(error.byField)
      if (error.status !== 409) return
      // Shows others' changes; saving again overwrites them.
      await changed()
      const after = await api('GET /settings/state')
      setChanges((now) =>
        Object.fromEntries(
          (Object.keys(now) as CommonSettingName[]).map((name) => [
            name,
            { value: now[name]?.value, version: after.marks[name]?.version ?? 0 },
          ]),
        ),
      )
    },
  })
  /** Restores the former values, unless changed since. */
  async function restore(before: object) {
    const versions = Object.fromEntries(names.map((name) => [name, (changes[name]?.version ?? 0) + 1]))
    try {
      await api('PUT /settings/common', { body: { ...before, _versions: versions } }, { forbidden: 'toast' })
    } catch (error) {
      notify.error(errorMessage(error))
    }
    await changed()
  }
  const change = (name: CommonSettingName, value: unknown) => {
    const { [name]: before, ...rest } = changes
    const isBack = JSON.stringify(value) === JSON.stringify(values[name])
    setChanges(isBack ? rest : { ...rest, [name]: { value, version: before?.version ?? marks[name]?.version ?? 0 } })
    setWrong(({ [name]: _, ...others }) => others)
    if (!save.isPending) save.reset()
  }
  return {
    valueOf: (name: CommonSettingName): unknown => (changes[name] ? changes[name].value : values[name]),
    isChanged: (name: CommonSettingName) => changes[name] !== undefined,
    /** Error of a setting, or of its part: `messageHours.start`. */
    errorOf: (field: string) => wrong[field],
    change,
    drop: () => {
      setChanges({})
      setWrong({})
      save.reset()
    },
    dirty: names.length > 0,
    save,
  }
}
export type SettingsDraft = ReturnType<typeof useSettingsDraft>
