/**
 * Builds what the Dockerfile describes, and runs it, where there is no Docker: each stage is a layer over this machine's files, seen
 * only in a namespace of its own. Only the images that it begins with are not tried. Needs Linux and root; `npm run container`.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type Instruction, isLetIn, readStages, type Stage } from './dockerfile.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const FOLDER = mkdtempSync(join(tmpdir(), 'mauve-container-'))
const USER = 1000

try {
  const stages = readStages()
  for (const stage of stages) buildStage(stage)
  const layer = layerOf(stages.at(-1)?.name ?? '')
  const size = execFileSync('du', ['-sm', join(layer, 'app')], { encoding: 'utf8' }).split('\t')[0]
  console.log(`The image adds ${size} MB to node:24-bookworm-slim.`)
  const inner = [process.execPath, join(import.meta.dirname, 'inside.ts'), FOLDER, layer]
  // No other process and no network reaches what listens there.
  process.exitCode = spawnSync('unshare', ['-m', '-n', ...inner], { stdio: 'inherit' }).status ?? 1
} finally {
  rmSync(FOLDER, { recursive: true, force: true })
}

/** A stage's own files, by their paths in the image. */
function layerOf(stage: string): string {
  return join(FOLDER, 'layers', stage)
}

function buildStage({ name, image, instructions }: Stage): void {
  console.log(`${name}: what stands for ${image}`)
  const layer = layerOf(name)
  layImage(layer)
  let folder = '/'
  for (const instruction of instructions) {
    if (instruction.name === 'WORKDIR') folder = instruction.text
    mkdirSync(join(layer, folder), { recursive: true })
    if (instruction.name === 'COPY') copy(instruction, layer, folder)
    if (instruction.name === 'RUN') execute(instruction.text, layer, folder)
  }
}

/** Adds what the image has and this machine lacks: a user, and Node. */
function layImage(layer: string): void {
  mkdirSync(join(layer, 'etc'), { recursive: true })
  mkdirSync(join(layer, 'home', 'node'), { recursive: true })
  mkdirSync(join(layer, 'usr', 'local', 'bin'), { recursive: true })
  for (const [file, line] of [
    ['passwd', `node:x:${USER}:${USER}::/home/node:/bin/sh`],
    ['group', `node:x:${USER}:`],
  ] as const) {
    const others = readFileSync(`/etc/${file}`, 'utf8').split('\n')
    const kept = others.filter((other) => other !== '' && !other.includes(`:${USER}:`))
    writeFileSync(join(layer, 'etc', file), [...kept, line, ''].join('\n'))
  }
  execFileSync('chown', [`${USER}:${USER}`, join(layer, 'home', 'node')])
  copyFileSync(process.execPath, join(layer, 'usr', 'local', 'bin', 'node'))
}

function copy({ text }: Instruction, layer: string, folder: string): void {
  console.log(`  COPY ${text}`)
  const words = text.split(' ')
  const from = words[0]?.startsWith('--from=') ? words.shift()?.slice('--from='.length) : undefined
  const target = words.pop() ?? ''
  const place = join(layer, target.startsWith('/') ? target : join(folder, target))
  for (const source of words) {
    if (from === undefined) copyContext(source, place)
    // What the image of that stage has is in no layer.
    else if (source.startsWith('/etc/ssl/')) copyFile(source, place)
    else execFileSync('cp', ['-a', join(layerOf(from), source), place])
  }
}

/** Files of this copy that are committed, or would be: what was built here must be built there. */
function copyContext(source: string, place: string): void {
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: ROOT, encoding: 'utf8' })
  const files = listed.split('\n').filter((file) => file !== '' && isLetIn(file))
  for (const file of files.filter((one) => source === '.' || one === source)) {
    copyFile(join(ROOT, file), join(place, file))
  }
}

function copyFile(source: string, target: string): void {
  mkdirSync(dirname(target), { recursive: true })
  copyFileSync(source, target)
}

/** Runs a command with the layer over this machine's files, and everything it writes in the layer. */
function execute(command: string, layer: string, folder: string): void {
  console.log(`  RUN ${command}`)
  const [work, merged] = [join(FOLDER, 'work'), join(FOLDER, 'merged')]
  for (const path of [work, merged]) mkdirSync(path, { recursive: true })
  const script = `
    mount -t overlay overlay -o lowerdir=/,upperdir=${layer},workdir=${work} ${merged}
    mount --rbind /dev ${merged}/dev
    mount -t proc proc ${merged}/proc
    exec chroot ${merged} sh -ec 'cd ${folder}; ${command}'`
  execFileSync('unshare', ['-m', 'sh', '-ec', script], { stdio: ['ignore', 'ignore', 'inherit'], env: environment() })
}

/** Not that of this copy: its programs, and settings of the service. */
function environment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(MAUVE_|PORT$|npm_package|npm_lifecycle|NODE)/.test(name),
  )
  return {
    ...Object.fromEntries(kept),
    PATH: '/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  } as unknown as NodeJS.ProcessEnv
}
