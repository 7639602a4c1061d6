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
  // Who comes back to the window sees what others have set meanwhile.
  refetchOnWindowFocus: 'always',
})

/** The clinic's settings with their versions. */
export const useSettingsState = () => useQuery(stateQuery)

/** The changes that match, newest first, as far as one has read. */
export const changesKey = (name: CommonSettingName | undefined) => [...queryKey, 'changes', name ?? ''] as const

/** Reads the settings again, and what everybody is told of them. */
export function useSettingsChanged() {
  const cache = useQueryClient()
  return async () => {
    await Promise.all([cache.invalidateQueries({ queryKey }), session.reload()])
  }
}

/** A value that somebody is typing, and the version of what it will replace. */
type Changes = Partial<Record<CommonSettingName, { value: unknown; version: number }>>

/** What is being changed and not saved yet. Only this is sent, so that two who save at once keep each other's. */
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
      // A secret that was replaced is kept nowhere.
      if (names.some(isSecret)) notify.success('Настройки сохранены')
      else notify.undo('Настройки сохранены', () => takeBack(before))
      await changed()
    },
    async onError(error) {
      if (!(error instanceof ApiError)) return
      setWrong(error.byField)
      if (error.status !== 409) return
      // What others have set is told now; saving again puts the own in its place.
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
  /** What stood before the save, unless somebody has changed it since. */
  async function takeBack(before: object) {
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
    /** Of the setting, or of a part of it: `messageHours.start`. */
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
