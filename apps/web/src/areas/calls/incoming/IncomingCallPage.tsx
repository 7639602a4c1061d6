import { phoneOf } from '@ordinator/model/phone'
import { IconExternalLink, IconPhoneOff, IconUserPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useAddress } from '#base/address.ts'
import { type Answer, api } from '#base/api.ts'
import { ApiError, errorMessage } from '#base/apiError.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { EmptyState } from '#kit/EmptyState.tsx'
import { PhoneLink } from '#kit/PhoneLink.tsx'
import { APP } from '#kit/root.ts'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { HStack, VStack } from '#kit/Stacks.tsx'
import { Muted } from '#kit/Words.tsx'
import { CallerFacts } from './CallerFacts.tsx'
import { CallHead } from './CallHead.tsx'
import classes from './Incoming.module.css'

const LOOK_EVERY_MS = 2_000
const GONE = 410

type Opened = Answer<'POST /widgets/incoming-call'>

/**
 * /widgets/incoming-call?phone=…#token: call card for the window of a telephony program, without sign-in. The token
 * works once; without a token only the number is shown.
 */
export default function IncomingCallPage() {
  const [{ phone }] = useAddress((search) => ({ phone: phoneOf(String(search.phone ?? '')) ?? undefined }))
  const [token] = useState(() => location.hash.slice(1))
  const [opened, setOpened] = useState<Opened>()
  const [failure, setFailure] = useState('')
  useEffect(() => {
    if (!token) return
    // The token is used up: remove it from the URL.
    history.replaceState(history.state, '', location.pathname + location.search)
    api('POST /widgets/incoming-call', { body: { token } }, { anonymous: true })
      .then(setOpened)
      .catch((error: unknown) => setFailure(errorMessage(error)))
  }, [token])
  return (
    <main id="main" className={classes.page}>
      <h1>Входящий звонок</h1>
      {opened ? (
        <Live secret={opened.key} first={opened.call} />
      ) : token && !failure ? (
        <LinesSkeleton lines={5} />
      ) : (
        <VStack gap={12}>
          {failure && <Muted role="alert">{failure}</Muted>}
          {phone ? (
            <strong>
              <PhoneLink phone={phone} />
            </strong>
          ) : (
            <EmptyState
              icon={IconPhoneOff}
              title="Звонка нет"
              text="Карточку открывает программа телефонии, когда вам звонят."
            />
          )}
        </VStack>
      )}
    </main>
  )
}

/** True when the call or its token has expired; false on other errors. */
const isOver = ({ data, error }: { data: { call: unknown } | undefined; error: Error | null }): boolean =>
  data?.call === null || (error instanceof ApiError && error.status === GONE)

function Live({ secret, first }: { secret: string; first: Opened['call'] }) {
  const look = useQuery({
    queryKey: ['widgetCall', first.id],
    queryFn: ({ signal }) =>
      api('POST /widgets/incoming-call/look', { body: { key: secret } }, { signal, anonymous: true }),
    initialData: { call: first },
    refetchInterval: ({ state }) => (isOver(state) ? false : LOOK_EVERY_MS),
    retry: false,
    meta: { reportsFailure: true },
  })
  const { call } = look.data
  if (call === null || isOver(look)) return <Muted role="status">Звонок закончился</Muted>
  const [caller] = call.callers
  return (
    <>
      {look.isError && <Muted role="alert">Нет связи: показано то, что было</Muted>}
      <CallHead call={call} />
      {call.callers.map((one) => (
        <div key={one.id} className={classes.candidate}>
          <CallerFacts caller={one} />
        </div>
      ))}
      {!caller && <Muted>Карты с этим номером нет</Muted>}
      <HStack wrap gap={6}>
        <ActionButton
          label="Открыть звонок"
          icon={IconExternalLink}
          component="a"
          href={`${APP}/journal/calls?open=${call.id}`}
          target="_blank"
        />
        {!caller && (
          <ActionButton
            label="Новый клиент"
            icon={IconUserPlus}
            variant="default"
            component="a"
            href={`${APP}/customers?open=new`}
            target="_blank"
          />
        )}
      </HStack>
    </>
  )
}
