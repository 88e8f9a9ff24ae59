import type { ScanResult } from './scan-list.ts'

export type Heard = Exclude<ScanResult, 'waiting'>
type Tone = { hz: number; ms: number; times: 1 | 2 }

const TONES: Record<Heard, Tone> = {
  sellable: { hz: 1320, ms: 90, times: 1 },
  refused: { hz: 520, ms: 180, times: 1 },
  unknown: { hz: 170, ms: 280, times: 1 },
  again: { hz: 880, ms: 70, times: 2 },
}
const PAUSE_MS = 45
/** Tones that would sound later than this are dropped. */
const LATEST_S = 30
const KEY = 'scanSound'

let audio: AudioContext | null = null
/** The time at which the last tone ends, in seconds of the clock of `audio`. */
let free = 0

/** Whether results make a sound. The browser remembers it. */
export const isHeard = () => localStorage.getItem(KEY) !== 'off'

export function setHeard(on: boolean): void {
  if (on) localStorage.removeItem(KEY)
  else localStorage.setItem(KEY, 'off')
  if (on) return
  void audio?.close().catch(() => {})
  audio = null
}

/** Call it from a click or key press: browsers do not let a page make a sound before somebody has pressed something. */
export function readySound(): void {
  if (!isHeard() || typeof AudioContext === 'undefined') return
  if (!audio) free = 0
  audio ??= new AudioContext()
  if (audio.state !== 'running') void audio.resume().catch(() => {})
}

/** Plays the tone of a result. Tones wait for each other, so ten fast scans make ten tones. */
export function hear(result: Heard): void {
  readySound()
  if (!audio) return
  const { hz, ms, times } = TONES[result]
  let at = Math.max(audio.currentTime, free)
  if (at - audio.currentTime > LATEST_S) return
  for (let n = 0; n < times; n++) at = play(audio, at, hz, ms / 1000)
  free = at
}

/**
 * Plays one tone. Its volume rises and falls within hundredths of a second, because an abrupt start clicks. Returns the
 * time at which the next tone may begin.
 */
function play(audio: AudioContext, at: number, hz: number, seconds: number): number {
  const tone = audio.createOscillator()
  const volume = audio.createGain()
  tone.type = hz < 300 ? 'square' : 'sine'
  tone.frequency.value = hz
  const loud = hz < 300 ? 0.12 : 0.3
  volume.gain.setValueAtTime(0, at)
  volume.gain.linearRampToValueAtTime(loud, at + 0.01)
  volume.gain.setValueAtTime(loud, at + seconds - 0.02)
  volume.gain.linearRampToValueAtTime(0, at + seconds)
  tone.connect(volume).connect(audio.destination)
  tone.start(at)
  tone.stop(at + seconds)
  return at + seconds + PAUSE_MS / 1000
}
