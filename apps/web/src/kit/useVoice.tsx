import { Alert, Progress } from '@mantine/core'
import { formatDuration } from '@ordinator/model/format'
import { IconCheck, IconMicrophone, IconPlayerStopFilled } from '@tabler/icons-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { ActionButton } from './ActionButton.tsx'
import { SoundPlayer } from './SoundPlayer.tsx'
import { HStack, VStack } from './Stacks.tsx'
import { type Voice, voiceOf } from './voice.ts'
import { Fine } from './Words.tsx'

/** Maximum seconds of a voice message: recording then stops. */
const LONGEST_S = 120
const TICK_MS = 200
const NAME = 'Голосовое сообщение.wav'

type State =
  | { is: 'idle'; trouble?: string }
  | { is: 'asking' | 'making' }
  | { is: 'recording'; since: number }
  | { is: 'made'; voice: Voice; url: string }

/**
 * Records a voice message, which can be played before sending.
 * @returns the panel shown during recording and playback, and the function that starts it; undefined meanwhile
 */
export function useVoice(onMade: (file: File) => void): [panel: ReactNode, record: (() => void) | undefined] {
  const [state, setState] = useState<State>({ is: 'idle' })
  const going = useRef<{ stop: (keep: boolean) => void }>(undefined)
  // Leaving the page switches the microphone off.
  useEffect(() => () => going.current?.stop(false), [])
  const url = state.is === 'made' ? state.url : undefined
  useEffect(() => (url ? () => URL.revokeObjectURL(url) : undefined), [url])

  const record = async () => {
    let isGone = false
    going.current = { stop: () => (isGone = true) }
    setState({ is: 'asking' })
    try {
      if (!navigator.mediaDevices) throw new Error('insecure')
      const stream = await navigator.mediaDevices.getUserMedia({ audio: true })
      const silence = () => {
        for (const track of stream.getTracks()) track.stop()
      }
      if (isGone) return silence()
      const recorder = new MediaRecorder(stream)
      const parts: Blob[] = []
      let isKept = true
      recorder.ondataavailable = ({ data }) => parts.push(data)
      recorder.onstop = async () => {
        silence()
        going.current = undefined
        if (!isKept) return setState({ is: 'idle' })
        setState({ is: 'making' })
        try {
          const voice = await voiceOf(new Blob(parts, { type: recorder.mimeType }), NAME)
          setState({ is: 'made', voice, url: URL.createObjectURL(voice.file) })
        } catch {
          setState({ is: 'idle', trouble: 'Запись не получилась: попробуйте ещё раз' })
        }
      }
      going.current = {
        stop(keep) {
          isKept = keep
          if (recorder.state !== 'inactive') recorder.stop()
        },
      }
      recorder.start()
      setState({ is: 'recording', since: performance.now() })
    } catch (error) {
      if (!isGone) setState({ is: 'idle', trouble: troubleOf(error) })
    }
  }

  const cancel = () => {
    going.current?.stop(false)
    setState({ is: 'idle' })
  }
  const panel =
    state.is === 'idle' ? (
      state.trouble && (
        <Alert
          color="yellow"
          variant="light"
          role="alert"
          title={state.trouble}
          withCloseButton
          closeButtonLabel="Скрыть"
          onClose={() => setState({ is: 'idle' })}
        />
      )
    ) : state.is === 'made' ? (
      <VStack gap={8} role="group" aria-label="Записанный голос">
        <SoundPlayer src={state.url} peaks={state.voice.peaks} seconds={state.voice.seconds} />
        <HStack justify="end">
          <ActionButton label="Удалить запись" variant="subtle" color="gray" size="compact-sm" onClick={cancel} />
          <ActionButton
            label="Приложить"
            size="compact-sm"
            icon={IconCheck}
            onClick={() => {
              onMade(state.voice.file)
              setState({ is: 'idle' })
            }}
          />
        </HStack>
      </VStack>
    ) : state.is === 'recording' ? (
      <Recording since={state.since} onEnd={() => going.current?.stop(true)} onCancel={cancel} />
    ) : (
      <HStack justify="space-between" role="status">
        <Fine>{state.is === 'asking' ? 'Разрешите браузеру микрофон…' : 'Готовим запись…'}</Fine>
        {state.is === 'asking' && (
          <ActionButton label="Отмена" variant="subtle" color="gray" size="compact-sm" onClick={cancel} />
        )}
      </HStack>
    )
  return [panel, state.is === 'idle' ? () => void record() : undefined]
}

function troubleOf(error: unknown): string {
  const name = error instanceof DOMException ? error.name : ''
  if (name === 'NotAllowedError')
    return 'Браузер не даёт микрофон. Разрешите его в настройках сайта, слева от адреса, и попробуйте ещё раз'
  if (name === 'NotFoundError') return 'Микрофон не найден: подключите его и попробуйте ещё раз'
  if (name === '') return 'Здесь голос не записать: нужен адрес на https и свежий браузер'
  return 'Микрофон не отвечает: возможно, его держит другая программа'
}

function Recording({ since, onEnd, onCancel }: { since: number; onEnd: () => void; onCancel: () => void }) {
  const [now, setNow] = useState(since)
  const end = useRef(onEnd)
  end.current = onEnd
  useEffect(() => {
    const timer = setInterval(() => {
      const at = performance.now()
      setNow(at)
      if (at - since >= LONGEST_S * 1000) end.current()
    }, TICK_MS)
    return () => clearInterval(timer)
  }, [since])
  const seconds = Math.max(0, (now - since) / 1000)
  return (
    <HStack gap={12} role="group" aria-label="Идёт запись">
      <IconMicrophone size={18} color="var(--mantine-color-red-6)" aria-hidden />
      <Progress
        value={(seconds / LONGEST_S) * 100}
        color="red"
        flex={1}
        size="sm"
        aria-label={`Не дольше ${formatDuration(LONGEST_S)}`}
      />
      <Fine className="tabular nowrap">
        {formatDuration(Math.floor(seconds))} / {formatDuration(LONGEST_S)}
      </Fine>
      <ActionButton label="Отмена" variant="subtle" color="gray" size="compact-sm" onClick={onCancel} />
      <ActionButton label="Готово" size="compact-sm" icon={IconPlayerStopFilled} onClick={onEnd} />
    </HStack>
  )
}
