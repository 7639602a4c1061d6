import { useEffect, useState } from 'react'
import { ask } from './ask.ts'
import { Button } from './parts.tsx'

type State = 'none' | 'off' | 'on' | 'denied'

const worker = async () => {
  if (!('serviceWorker' in navigator) || !('PushManager' in window)) return undefined
  return navigator.serviceWorker.getRegistration('/portal')
}

/** Push notifications on this device; for dialogues without the text. */
export function Device() {
  const [state, setState] = useState<State>('none')
  const [busy, setBusy] = useState(false)
  const [wrong, setWrong] = useState<string>()
  useEffect(() => {
    void (async () => {
      const registration = await worker()
      if (!registration) return
      const known = await registration.pushManager.getSubscription()
      setState(known ? 'on' : Notification.permission === 'denied' ? 'denied' : 'off')
    })()
  }, [])

  const change = async (next: 'on' | 'off') => {
    setBusy(true)
    setWrong(undefined)
    try {
      setState(await (next === 'on' ? begin() : end()))
    } catch (error) {
      setWrong(
        error instanceof DOMException ? 'Браузер не включил уведомления: попробуйте позже' : (error as Error).message,
      )
    }
    setBusy(false)
  }
  return (
    <>
      <h2>Уведомления</h2>
      <div className="card">
        <p>
          {state === 'on'
            ? 'Это устройство покажет напоминания о визитах и скажет, когда клиника ответит. Сам ответ виден только в кабинете.'
            : state === 'off'
              ? 'Устройство покажет напоминания о визитах и скажет, когда клиника ответит. Сам ответ на экран не попадёт.'
              : state === 'denied'
                ? 'Уведомления запрещены в настройках браузера: разрешите их для этого сайта.'
                : 'Этот браузер уведомлений не показывает. На iPhone сначала добавьте кабинет на экран «Домой» и откройте его оттуда.'}
        </p>
        {wrong && (
          <p className="wrong" role="alert">
            {wrong}
          </p>
        )}
        {(state === 'on' || state === 'off') && (
          <Button
            className="button wide"
            tone={state === 'on' ? 'plain' : 'main'}
            busy={busy}
            onClick={() => void change(state === 'on' ? 'off' : 'on')}
          >
            {state === 'on' ? 'Выключить уведомления' : 'Включить уведомления'}
          </Button>
        )}
      </div>
    </>
  )
}

async function begin(): Promise<State> {
  if ((await Notification.requestPermission()) !== 'granted') return 'denied'
  const registration = await worker()
  if (!registration) return 'none'
  const { key } = await ask('GET /portal/device')
  const made = await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key })
  await ask('POST /portal/device', { body: { endpoint: made.endpoint } })
  return 'on'
}

async function end(): Promise<State> {
  const known = await (await worker())?.pushManager.getSubscription()
  if (known) {
    await ask('DELETE /portal/device', { body: { endpoint: known.endpoint } })
    await known.unsubscribe()
  }
  return 'off'
}
