-- Links of other schemes than http, https and t.me were once accepted. They are shown to everyone, so they go.
update applications set link = '' where not (link like 'http://%' or link like 'https://%' or link like 't.me/%');--> statement-breakpoint
update applications set photo_url = '' where not (photo_url like 'http://%' or photo_url like 'https://%' or photo_url like 't.me/%');
