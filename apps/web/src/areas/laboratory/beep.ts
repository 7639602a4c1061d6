let sounding: AudioContext | undefined

/** Beeps: one short high tone for success, two low ones for an error. */
export function beep(good: boolean): void {
  try {
    sounding ??= new AudioContext()
    const audio = sounding
    void audio.resume()
    const tones = good
      ? ([[0, 1320]] as const)
      : ([
          [0, 220],
          [0.16, 180],
        ] as const)
    for (const [at, pitch] of tones) {
      const [tone, volume] = [audio.createOscillator(), audio.createGain()]
      const start = audio.currentTime + at
      tone.type = good ? 'sine' : 'square'
      tone.frequency.value = pitch
      volume.gain.setValueAtTime(0.1, start)
      volume.gain.exponentialRampToValueAtTime(0.001, start + 0.13)
      tone.connect(volume).connect(audio.destination)
      tone.start(start)
      tone.stop(start + 0.14)
    }
  } catch {
    // No sound device; the result is on the screen.
  }
}
