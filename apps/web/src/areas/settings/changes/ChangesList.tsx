import { Anchor } from '@mantine/core'
import type { SettingChange } from '@ordinator/model/areas/settings/calls'
import {
  type CommonSettingName,
  commonSettings,
  isSecret,
  isSettingName,
  placeOf,
} from '@ordinator/model/areas/settings/commonSettings'
import { settingText } from '@ordinator/model/areas/settings/settingText'
import { IconArrowBackUp } from '@tabler/icons-react'
import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { routeTo } from '#base/address.ts'
import { api } from '#base/api.ts'
import { errorMessage } from '#base/apiError.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { formatDateTime } from '#kit/clock.ts'
import { confirm } from '#kit/confirm.ts'
import { EmptyState } from '#kit/EmptyState.tsx'
import { ErrorState } from '#kit/ErrorState.tsx'
import { MoreRows } from '#kit/LoadMore.tsx'
import { notify } from '#kit/notify.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { HStack, VStack } from '#kit/Stacks.tsx'
import { UserLink } from '#kit/UserLink.tsx'
import { Fine } from '#kit/Words.tsx'
import { settingPlace } from '../openSetting.ts'
import { changesKey, useSettingsChanged, useSettingsState } from '../useSettings.ts'

const PAGE = 30

/** Changes of one setting or of all, newest first. */
export function ChangesList({ name }: { name?: CommonSettingName }) {
  const found = useInfiniteQuery({
    queryKey: changesKey(name),
    queryFn: ({ pageParam, signal }) =>
      api('GET /settings/changes', { query: { name, before: pageParam, limit: PAGE } }, { signal }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ items, hasMore }) => (hasMore ? items.at(-1)?.id : undefined),
  })
  const state = useSettingsState()
  if (found.isPending) return <LinesSkeleton lines={4} />
  if (found.isError)
    return <ErrorState title="История не загрузилась" error={found.error} onRetry={() => void found.refetch()} />
  const items = found.data.pages.flatMap((page) => page.items)
  if (items.length === 0)
    return <EmptyState title="Изменений пока нет" text="Здесь появится каждое: что было, что стало, кто и когда" />
  return (
    <>
      <VStack component="ul" gap={12} aria-label="Изменения настроек">
        {items.map((change) => (
          <Change
            key={change.id}
            change={change}
            named={name === undefined}
            version={state.data?.marks[change.name]?.version}
          />
        ))}
      </VStack>
      <MoreRows list={found} />
    </>
  )
}

interface Props {
  change: SettingChange
  /** Shows the setting's name. */
  named: boolean
  /** Current version of the setting. */
  version: number | undefined
}

function Change({ change, named, version }: Props) {
  const { name } = change
  const changed = useSettingsChanged()
  const undo = useMutation({
    mutationFn: (version: number) =>
      api('POST /settings/changes/:id/undo', { params: { id: change.id }, body: { version } }),
    onSuccess: () => notify.success('Настройка возвращена'),
    onError: (error) => notify.error(errorMessage(error)),
    onSettled: changed,
  })
  if (!isSettingName(name)) return null
  const { group } = placeOf(name)
  const ask = async () => {
    if (version === undefined) return
    const isLast = version === change.version
    const sure = await confirm({
      title: `Вернуть «${commonSettings[name].label}»?`,
      message: `Станет: ${settingText(name, change.from ?? null)}.${isLast ? '' : ' После этого изменения были и другие: вернётся то, что стояло до него.'}`,
      confirm: 'Вернуть',
    })
    if (sure) undo.mutate(version)
  }
  return (
    <HStack component="li" gap={12} align="flex-start">
      <VStack gap={2} grow>
        {named && (
          <Anchor component={Link} {...routeTo(settingPlace(name))} fw={500}>
            {commonSettings[name].label}
          </Anchor>
        )}
        <span>
          {settingText(name, change.from ?? null)} → {settingText(name, change.to ?? null)}
        </span>
        <Fine>
          {formatDateTime(change.dateCreate)}
          {change.user && (
            <>
              {' · '}
              <UserLink user={change.user}>{change.user.shortFio}</UserLink>
            </>
          )}
          {named && ` · ${group}`}
          {change.idUndone !== null && ' · возврат'}
        </Fine>
      </VStack>
      {!isSecret(name) && (
        <ActionButton
          icon={IconArrowBackUp}
          label="Вернуть"
          variant="subtle"
          size="compact-sm"
          loading={undo.isPending}
          onClick={() => void ask()}
        />
      )}
    </HStack>
  )
}
