import { lazy, Suspense, type ComponentProps, type ComponentType } from 'react'
import { Skeleton } from './show.tsx'

/** A part of a page that is fetched when shown; until then a skeleton of `lines`, or nothing for 0. */
export function lazyPart<P extends object>(load: () => Promise<ComponentType<P>>, lines = 8) {
  const Part = lazy(async () => ({ default: await load() }))
  return (props: P) => (
    <Suspense fallback={lines > 0 && <Skeleton lines={lines} />}>
      <Part {...(props as ComponentProps<typeof Part>)} />
    </Suspense>
  )
}
