ALTER TABLE `applications` ADD `time_zone` text DEFAULT 'UTC' NOT NULL;--> statement-breakpoint
ALTER TABLE `layouts` ADD `time_zone` text DEFAULT 'UTC' NOT NULL;