import { Alert, Button, Group, Text } from '@mantine/core'
import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { readCamera } from './camera-reader.ts'
import classes from './scan.module.css'

const INSECURE =
  'Browsers let a page use the camera over HTTPS or on localhost only. Open Backstock at an address that begins with https://.'

const REASONS: Record<string, string> = {
  NotAllowedError: 'This browser does not let Backstock use the camera. Allow it beside the address, then try again.',
  NotFoundError: 'There is no camera here.',
  NotReadableError: 'The camera is in use by another program.',
}
const reasonOf = (error: unknown) =>
  (error instanceof DOMException && REASONS[error.name]) || 'The camera could not be started.'

/** The wanted camera: the one with this id, or the one on the back of a phone. A larger picture shows smaller codes. */
const wanted = (deviceId: string | null): MediaStreamConstraints => ({
  video: {
    ...(deviceId ? { deviceId: { exact: deviceId } } : { facingMode: 'environment' }),
    width: { ideal: 1280 },
    height: { ideal: 720 },
  },
})

const stop = (stream: MediaStream | null) => {
  for (const track of stream?.getTracks() ?? []) track.stop()
}

async function start(deviceId: string | null): Promise<MediaStream> {
  if (!window.isSecureContext || !navigator.mediaDevices) throw new Error(INSECURE)
  return navigator.mediaDevices.getUserMedia(wanted(deviceId)).catch((error: unknown) => {
    throw new Error(reasonOf(error))
  })
}

async function camerasThere(): Promise<string[]> {
  const devices = await navigator.mediaDevices.enumerateDevices()
  return devices.flatMap(({ kind, deviceId }) => (kind === 'videoinput' && deviceId ? deviceId : []))
}

type Props = { onCode: (code: string) => void; onClose: () => void }

/**
 * The picture of a camera. It reports each code that is held before it. The camera is turned off when this component is
 * unmounted or the reader fails.
 */
export default function Camera({ onCode, onClose }: Props) {
  const video = useRef<HTMLVideoElement>(null)
  const tell = useRef(onCode)
  const [chosen, choose] = useState<string | null>(null)
  const [cameras, setCameras] = useState<readonly string[]>([])
  const [trouble, setTrouble] = useState<string | null>(null)
  const [again, setAgain] = useState(0)
  useLayoutEffect(() => {
    tell.current = onCode
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new number of `again` starts the camera again
  useEffect(() => {
    let isOver = false
    let stream: MediaStream | null = null
    let stopReading = () => {}
    const fail = (message: string) => {
      stopReading()
      stop(stream)
      setTrouble(message)
    }
    const begin = async () => {
      stream = await start(chosen)
      const place = video.current
      if (isOver || !place) return stop(stream)
      place.srcObject = stream
      await place.play()
      setCameras(await camerasThere())
      if (isOver) return
      stopReading = readCamera(
        place,
        (code) => tell.current(code),
        (message) => fail(`The code reader has failed: ${message}.`),
      )
    }
    begin().catch((error: unknown) => {
      if (!isOver) fail(error instanceof Error ? error.message : String(error))
    })
    return () => {
      isOver = true
      stopReading()
      stop(stream)
    }
  }, [chosen, again])

  const next = () => choose(cameras[(cameras.indexOf(currentOf(video.current) ?? '') + 1) % cameras.length] ?? null)
  const retry = () => {
    setTrouble(null)
    setAgain(again + 1)
  }
  if (trouble !== null)
    return (
      <Alert color="red" role="alert" icon={<IconAlertTriangle size={18} />}>
        {trouble}
        <Group gap="xs" mt="xs">
          <Button size="compact-sm" variant="default" onClick={retry}>
            Try again
          </Button>
          <Button size="compact-sm" variant="default" onClick={onClose}>
            Close
          </Button>
        </Group>
      </Alert>
    )
  return (
    <div className={classes['camera']}>
      <video ref={video} className={classes['video']} muted playsInline aria-label="What the camera sees" />
      <div className={classes['aim']} aria-hidden />
      <div className={classes['over']}>
        <Text size="sm">Hold one code in the frame.</Text>
        <Group gap="xs" wrap="nowrap">
          {cameras.length > 1 && (
            <Button size="xs" variant="default" onClick={next}>
              Other camera
            </Button>
          )}
          <Button size="xs" variant="default" onClick={onClose}>
            Stop
          </Button>
        </Group>
      </div>
    </div>
  )
}

function currentOf(video: HTMLVideoElement | null): string | undefined {
  const stream = video?.srcObject
  return stream instanceof MediaStream ? stream.getVideoTracks()[0]?.getSettings().deviceId : undefined
}
