import { Alert, Badge, Box, Text, TextInput } from '@mantine/core'
import { type Factor, FEW_CODES, factorKinds } from '@ordinator/model/areas/auth/factor'
import { formatFromNow } from '@ordinator/model/format'
import { browserSupportsWebAuthn, startRegistration } from '@simplewebauthn/browser'
import { IconCheck, IconCopy, IconDeviceMobile, IconKey, IconShieldLock } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type Answer, api } from '#base/api.ts'
import { errorMessage } from '#base/apiError.ts'
import { isPhone } from '#base/device.ts'
import { session } from '#base/session.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { ActionDialog } from '#kit/ActionDialog.tsx'
import { CopyButton } from '#kit/CopyButton.tsx'
import { confirm } from '#kit/confirm.ts'
import { Dialog } from '#kit/Dialog.tsx'
import { EmptyState } from '#kit/EmptyState.tsx'
import { ErrorState } from '#kit/ErrorState.tsx'
import { IconButton } from '#kit/IconButton.tsx'
import { notify } from '#kit/notify.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { HStack } from '#kit/Stacks.tsx'
import { Fine } from '#kit/Words.tsx'
import sessions from '../sessions/SessionList.module.css'
import classes from './FactorList.module.css'

/**
 * Second factors of a sign-in.
 * @param idUser another user's, to reset by an administrator; absent: the own ones
 */
export function FactorList({ idUser }: { idUser?: number }) {
  const cache = useQueryClient()
  const queryKey = ['factors', idUser ?? 'own']
  const [adding, setAdding] = useState<'totp' | 'passkey'>()
  const [codes, setCodes] = useState<string[]>()
  const list = useQuery({
    queryKey,
    queryFn: ({ signal }) =>
      idUser === undefined
        ? api('GET /auth/factors', {}, { signal, forbidden: 'silent' })
        : api('GET /users/:id/factors', { params: { id: idUser } }, { signal, forbidden: 'silent' }),
  })
  const again = () => cache.invalidateQueries({ queryKey })
  const remove = useMutation({
    mutationFn: (id: number) => api('DELETE /auth/factors/:id', { params: { id } }, { forbidden: 'toast' }),
    onSuccess: () => void session.reload(),
    onError: (error) => notify.error(errorMessage(error)),
    onSettled: again,
  })
  const reset = useMutation({
    mutationFn: (id: number) => api('DELETE /users/:id/factors', { params: { id } }, { forbidden: 'toast' }),
    onSuccess: () => notify.success('Второй фактор сброшен, сеансы сотрудника завершены'),
    onError: (error) => notify.error(errorMessage(error)),
    onSettled: again,
  })
  const renew = useMutation({
    mutationFn: () => api('POST /auth/factors/codes', {}, { forbidden: 'toast' }),
    onSuccess: (made) => setCodes(made.codes),
    onError: (error) => notify.error(errorMessage(error)),
    onSettled: again,
  })
  const added = (made: { codes: string[] | null }) => {
    setAdding(undefined)
    void again()
    notify.success('Второй фактор подключён')
    if (made.codes) setCodes(made.codes)
    else void session.reload()
  }
  const askAndRemove = async ({ id, name }: Factor) => {
    const question = {
      title: 'Убрать второй фактор?',
      message: `«${name}» больше не подойдёт для входа.`,
      confirm: 'Убрать',
      danger: true,
    }
    if (await confirm(question)) remove.mutate(id)
  }
  const askAndReset = async (id: number) => {
    const question = {
      title: 'Сбросить второй фактор?',
      message: 'Сотрудник войдёт одним паролем, открытые сеансы завершатся. Убедитесь, что просит он сам.',
      confirm: 'Сбросить',
      danger: true,
    }
    if (await confirm(question)) reset.mutate(id)
  }
  if (list.isPending) return <LinesSkeleton lines={3} />
  if (list.isError)
    return <ErrorState title="Не удалось загрузить факторы" error={list.error} onRetry={() => void list.refetch()} />
  const { items, codesLeft, required } = list.data
  const isOwn = idUser === undefined
  return (
    <Box maw={680}>
      {items.length === 0 && (
        <EmptyState
          icon={IconShieldLock}
          title="Вход только по паролю"
          text={
            isOwn
              ? 'Подключите код из приложения или ключ доступа: с украденным паролем никто не войдёт'
              : required
                ? 'Роль требует второй фактор: сотрудник подключит его при следующем входе'
                : 'Сотрудник не подключил второй фактор'
          }
        />
      )}
      {items.map((factor) => (
        <div key={factor.id} className={sessions.session}>
          {factor.kind === 'totp' ? (
            <IconDeviceMobile size={20} stroke={1.5} aria-hidden />
          ) : (
            <IconKey size={20} stroke={1.5} aria-hidden />
          )}
          <Box miw={0} flex={1}>
            {factor.name}
            <Fine component="p">
              {[factorKinds[factor.kind], factor.dateUsed && `вход ${formatFromNow(factor.dateUsed)}`]
                .filter(Boolean)
                .join(' · ')}
            </Fine>
          </Box>
          {isOwn && (
            <ActionButton
              label="Убрать"
              variant="default"
              aria-label={`Убрать второй фактор: ${factor.name}`}
              loading={remove.isPending && remove.variables === factor.id}
              onClick={() => void askAndRemove(factor)}
            />
          )}
        </div>
      ))}
      {isOwn ? (
        <HStack wrap mt={12}>
          <ActionButton label="Код из приложения" icon={IconDeviceMobile} onClick={() => setAdding('totp')} />
          {browserSupportsWebAuthn() && (
            <ActionButton label="Ключ доступа" icon={IconKey} variant="default" onClick={() => setAdding('passkey')} />
          )}
          {items.length > 0 && (
            <ActionButton
              label="Новые коды восстановления"
              variant="subtle"
              loading={renew.isPending}
              onClick={() => renew.mutate()}
            />
          )}
        </HStack>
      ) : (
        items.length > 0 && (
          <ActionButton
            label="Сбросить второй фактор"
            variant="default"
            mt={12}
            loading={reset.isPending}
            onClick={() => void askAndReset(idUser as number)}
          />
        )
      )}
      {items.length > 0 && (
        <Text size="sm" c="dimmed" mt={8}>
          Кодов восстановления осталось: {codesLeft}
          {isOwn && codesLeft <= FEW_CODES && <Badge ml={8}>мало: сделайте новые</Badge>}
        </Text>
      )}
      {adding === 'totp' && <AppDialog onClose={() => setAdding(undefined)} onAdded={added} />}
      {adding === 'passkey' && <PasskeyDialog onClose={() => setAdding(undefined)} onAdded={added} />}
      {codes && (
        <CodesDialog
          codes={codes}
          onClose={() => {
            setCodes(undefined)
            void session.reload()
          }}
        />
      )}
    </Box>
  )
}

interface AddProps {
  onAdded: (made: Answer<'POST /auth/factors/totp'>) => void
  onClose: () => void
}

function AppDialog({ onAdded, onClose }: AddProps) {
  const [name, setName] = useState('Телефон')
  const [code, setCode] = useState('')
  const onPhone = isPhone(navigator.userAgent)
  const begun = useQuery({
    queryKey: ['factor-begun'],
    queryFn: () => api('POST /auth/factors/totp/begin', {}, { forbidden: 'toast' }),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  return (
    <ActionDialog
      title="Код из приложения"
      action="Подключить"
      disabled={!begun.isSuccess}
      faults={{ name: !name.trim() && 'Обязательное поле', code: !code.trim() && 'Впишите код из приложения' }}
      run={async () => onAdded(await api('POST /auth/factors/totp', { body: { name, code } }, { forbidden: 'toast' }))}
      onClose={onClose}
    >
      {(errorOf) => (
        <>
          <Text>
            Откройте на телефоне приложение с кодами (Яндекс Ключ, Google Authenticator, Aegis) и наведите на картинку.
            {onPhone && ' Приложение на этом же телефоне — откройте его кнопкой.'}
          </Text>
          {begun.isPending && <LinesSkeleton lines={6} />}
          {begun.isError && (
            <Alert color="red" role="alert">
              {errorMessage(begun.error)}
            </Alert>
          )}
          {begun.isSuccess && (
            <>
              <img className={classes.qr} src={begun.data.qr} alt="QR-код для приложения" />
              {onPhone && (
                <ActionButton
                  label="Открыть приложение с кодами"
                  icon={IconDeviceMobile}
                  variant="light"
                  component="a"
                  href={begun.data.uri}
                />
              )}
              <HStack wrap>
                <Fine component="p" flex={1} miw={200}>
                  Не наводится — впишите ключ: <span className={classes.secret}>{begun.data.secret}</span>
                </Fine>
                <CopyButton value={begun.data.secret}>
                  {({ copied, copy }) => (
                    <IconButton
                      label={copied ? 'Ключ скопирован' : 'Скопировать ключ'}
                      icon={copied ? IconCheck : IconCopy}
                      onClick={copy}
                    />
                  )}
                </CopyButton>
              </HStack>
            </>
          )}
          <TextInput
            label="Код из приложения"
            inputMode="numeric"
            autoComplete="one-time-code"
            value={code}
            error={errorOf('code')}
            onChange={(event) => setCode(event.currentTarget.value)}
          />
          <TextInput
            label="Название"
            value={name}
            error={errorOf('name')}
            maxLength={60}
            onChange={(event) => setName(event.currentTarget.value)}
          />
        </>
      )}
    </ActionDialog>
  )
}

function PasskeyDialog({ onAdded, onClose }: AddProps) {
  const [name, setName] = useState('Этот компьютер')
  return (
    <ActionDialog
      title="Ключ доступа"
      action="Продолжить"
      faults={{ name: !name.trim() && 'Обязательное поле' }}
      run={async () => {
        const options = await api('POST /auth/factors/passkey/begin', {}, { forbidden: 'toast' })
        const response = await startRegistration({ optionsJSON: options }).catch(() => {
          throw new Error('Браузер не создал ключ доступа: попробуйте ещё раз')
        })
        const body = { name, response: { ...response } }
        onAdded(await api('POST /auth/factors/passkey', { body }, { forbidden: 'toast' }))
      }}
      onClose={onClose}
    >
      {(errorOf) => (
        <>
          <Text>Браузер попросит палец, лицо, пин-код или ключ с USB. Ключ остаётся на устройстве.</Text>
          <TextInput
            label="Название"
            value={name}
            error={errorOf('name')}
            maxLength={60}
            onChange={(event) => setName(event.currentTarget.value)}
          />
        </>
      )}
    </ActionDialog>
  )
}

/** Shown only once: recovery codes are not stored in plain text. */
function CodesDialog({ codes, onClose }: { codes: string[]; onClose: () => void }) {
  return (
    <Dialog opened onClose={onClose} closeOnClickOutside={false} title="Коды восстановления" size="sm">
      <Text mb={12}>
        Сохраните их там, где не лежит телефон. Каждый подходит один раз, если телефона или ключа нет под рукой. Больше
        их не покажут.
      </Text>
      <ul className={classes.codes}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <HStack wrap mt={16}>
        <CopyButton value={codes.join('\n')}>
          {({ copied, copy }) => (
            <ActionButton
              label={copied ? 'Скопировано' : 'Скопировать'}
              icon={copied ? IconCheck : IconCopy}
              onClick={copy}
              data-autofocus
            />
          )}
        </CopyButton>
        <ActionButton label="Сохранил, готово" variant="default" onClick={onClose} />
      </HStack>
    </Dialog>
  )
}
