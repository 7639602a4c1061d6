import { SegmentedControl } from '@mantine/core'
import { formatDuration } from '@ordinator/model/format'
import { IconDownload, IconPlayerPauseFilled, IconPlayerPlayFilled } from '@tabler/icons-react'
import {
  type KeyboardEvent,
  type PointerEvent,
  type Ref,
  useEffect,
  useImperativeHandle,
  useRef,
  useState,
} from 'react'
import { IconButton } from './IconButton.tsx'
import classes from './SoundPlayer.module.css'
import { Block, HStack, VStack } from './Stacks.tsx'
import { Fine, Muted } from './Words.tsx'

/** Seconds skipped by an arrow key. */
const STEP_S = 5
const speeds = ['1', '1.25', '1.5', '2']

interface Props {
  src: string
  /** Download URL; absent: no download. */
  download?: string
  /** Bar heights of the waveform, 0 to 100; absent: a plain line. */
  peaks?: readonly number[]
  /** Duration; absent: read from the file. */
  seconds?: number
  /** Accessible name, for pages with several players. */
  label?: string
  /** Lets the parent start playback at a position. */
  control?: Ref<SoundControl>
  /** Called with the current second, a few times a second. */
  onTime?: (seconds: number) => void
}

export interface SoundControl {
  /** @param seconds of the recording */
  playFrom: (seconds: number) => void
}

/** An audio player with a waveform, seeking and playback speeds. */
export function SoundPlayer({ src, download, peaks, seconds: known, label, control, onTime }: Props) {
  const audio = useRef<HTMLAudioElement>(null)
  const [playing, setPlaying] = useState(false)
  const [at, setAt] = useState(0)
  const [found, setFound] = useState(0)
  const seconds = known ?? found
  const [speed, setSpeed] = useState('1')
  const [trouble, setTrouble] = useState(false)
  useEffect(() => {
    if (audio.current) audio.current.playbackRate = Number(speed)
  }, [speed])
  const go = (to: number) => {
    const place = Math.min(Math.max(0, to), seconds)
    if (audio.current) audio.current.currentTime = place
    setAt(place)
  }
  useImperativeHandle(control, () => ({
    playFrom(to) {
      go(to)
      void audio.current?.play().catch(() => setTrouble(true))
    },
  }))
  const toggle = () => {
    if (!audio.current) return
    if (playing) audio.current.pause()
    else void audio.current.play().catch(() => setTrouble(true))
  }
  const press = (event: PointerEvent<HTMLElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect()
    go(((event.clientX - left) / width) * seconds)
  }
  const keys: Record<string, () => void> = {
    ArrowLeft: () => go(at - STEP_S),
    ArrowRight: () => go(at + STEP_S),
    Home: () => go(0),
    End: () => go(seconds),
    ' ': toggle,
  }
  const onKey = (event: KeyboardEvent) => {
    const act = keys[event.key]
    if (!act) return
    event.preventDefault()
    act()
  }
  const share = seconds > 0 ? at / seconds : 0
  return (
    <VStack gap={8} role={label ? 'group' : undefined} aria-label={label} className={classes.player}>
      {/* biome-ignore lint/a11y/useMediaCaption: a recording of a call has no captions */}
      <audio
        ref={audio}
        src={src}
        preload={known === undefined ? 'metadata' : 'none'}
        onDurationChange={({ currentTarget: { duration } }) => setFound(Number.isFinite(duration) ? duration : 0)}
        onPlay={() => setPlaying(true)}
        onPause={() => setPlaying(false)}
        onEnded={() => setPlaying(false)}
        onTimeUpdate={({ currentTarget: { currentTime } }) => {
          setAt(currentTime)
          onTime?.(currentTime)
        }}
        onError={() => setTrouble(true)}
      />
      <HStack gap={12}>
        <IconButton
          icon={playing ? IconPlayerPauseFilled : IconPlayerPlayFilled}
          label={playing ? 'Пауза' : 'Слушать'}
          variant="filled"
          size={36}
          onClick={toggle}
        />
        <div
          className={classes.wave}
          role="slider"
          tabIndex={0}
          aria-label="Место в записи"
          aria-valuemin={0}
          aria-valuemax={Math.round(seconds)}
          aria-valuenow={Math.round(at)}
          aria-valuetext={`${formatDuration(Math.round(at))} из ${formatDuration(Math.round(seconds))}`}
          onPointerDown={press}
          onKeyDown={onKey}
        >
          {peaks ? (
            <svg viewBox={`0 0 ${peaks.length} 100`} preserveAspectRatio="none" aria-hidden="true">
              {peaks.map((height, bar) => {
                const tall = Math.max(4, height)
                return (
                  <rect
                    // biome-ignore lint/suspicious/noArrayIndexKey: a bar is its place
                    key={bar}
                    x={bar + 0.15}
                    y={50 - tall / 2}
                    width={0.7}
                    height={tall}
                    className={bar / peaks.length < share ? classes.played : classes.rest}
                  />
                )
              })}
            </svg>
          ) : (
            <span className={classes.line} aria-hidden="true">
              <span className={classes.lineDone} style={{ width: `${share * 100}%` }} />
            </span>
          )}
        </div>
        <Fine className="tabular nowrap">
          {formatDuration(Math.floor(at))} / {formatDuration(Math.round(seconds))}
        </Fine>
      </HStack>
      <HStack wrap>
        <SegmentedControl
          size="xs"
          aria-label="Скорость"
          data={speeds.map((value) => ({ value, label: `${value.replace('.', ',')}×` }))}
          value={speed}
          onChange={setSpeed}
        />
        <Block grow />
        {download && <IconButton icon={IconDownload} label="Скачать запись" component="a" href={download} download />}
      </HStack>
      {trouble && <Muted role="alert">Запись не удалось воспроизвести: попробуйте ещё раз или скачайте её</Muted>}
    </VStack>
  )
}
